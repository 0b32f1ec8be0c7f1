import { Webhook } from 'standardwebhooks';
import type { Agent, Dispatcher, request } from 'undici';
import { storableText } from '#security/storable-text.ts';
import type { StoredAttempt } from './attempts.sql.ts';
import { failureOf } from './failures.ts';
import type { TargetPolicy } from './target.ts';

const maxErrorLength = 300;
/** Bytes of a reply that are kept. */
const keptReplyBytes = 4096;
/** Bytes of a reply that are read. The rest is cut off with the connection. */
const maxReplyBytes = 128 * 1024;

/** The HTTP client of callbacks. */
export interface CallbackHttp {
  request: typeof request;
  dispatcher: Agent;
}

/** Loads the HTTP client with the first callback: many processes never send one. */
export async function openHttp(targets: TargetPolicy): Promise<CallbackHttp> {
  const [{ request }, { callbackAgent }] = await Promise.all([import('undici'), import('./agent.ts')]);
  return { request, dispatcher: callbackAgent(targets) };
}

/** A message to post. */
export interface Posted {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The outcome of a request: that of an attempt, and what a check looks at besides. */
export interface Outcome extends Omit<StoredAttempt, 'attempt'> {
  /** The `Date` header of the reply. */
  date: string | null;
  isReplyTooLarge: boolean;
  /** The error, if there was no answer. */
  cause: unknown;
}

/** Posts a message once. Never throws. Follows no redirect. */
export async function post(
  { request, dispatcher }: CallbackHttp,
  { url, headers, body }: Posted,
  timeoutMs: number,
): Promise<Outcome> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { text, isTooLarge } = await readReply(response.body);
    const { date } = response.headers;
    return {
      httpStatus: response.statusCode,
      error: null,
      errorText: null,
      reply: text,
      durationMs: durationMs(),
      date: typeof date === 'string' ? date : null,
      isReplyTooLarge: isTooLarge,
      cause: undefined,
    };
  } catch (cause) {
    const error = failureOf(cause);
    return {
      httpStatus: null,
      error,
      errorText: storableText(
        cause instanceof Error ? cause.message || cause.name : String(cause),
        maxErrorLength,
      ),
      reply: null,
      // The duration of resolving would reveal which names exist in our network.
      durationMs: error === 'notPublic' ? 0 : durationMs(),
      date: null,
      isReplyTooLarge: false,
      cause,
    };
  }
}

/** Reads a reply and returns its beginning as text; null if it is empty. */
async function readReply(
  body: Dispatcher.ResponseData['body'],
): Promise<{ text: string | null; isTooLarge: boolean }> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, keptReplyBytes - keptBytes);
    if (part.length > 0) kept.push(part);
    keptBytes += part.length;
    readBytes += chunk.length;
    if (readBytes > maxReplyBytes) break;
  }
  const text = storableText(Buffer.concat(kept).toString('utf8'), keptReplyBytes);
  return { text: text || null, isTooLarge: readBytes > maxReplyBytes };
}

/** Returns what signs messages, by the secret of an access key. */
export function signerOf(keySecret: string): string {
  return Buffer.from(keySecret).toString('base64');
}

/** Builds the headers of a message by Standard Webhooks, signed with each of the secrets (`whsec_…` or Base64). */
export function signedHeaders(
  { id, body }: { id: string; body: string },
  secrets: readonly string[],
  now = new Date(),
): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, body));
  return {
    'content-type': 'application/json',
    'user-agent': 'Hengfu-Callbacks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

/** Builds the headers of a callback, which say whether it is sent again. */
export function callbackHeaders(
  message: { id: string; body: string; isResend: boolean },
  secrets: readonly string[],
): Record<string, string> {
  return { ...signedHeaders(message, secrets), ...(message.isResend && { 'hengfu-resend': '1' }) };
}

/** Headers that differ from attempt to attempt. */
export const changingHeaders: readonly string[] = ['webhook-timestamp', 'webhook-signature'];
