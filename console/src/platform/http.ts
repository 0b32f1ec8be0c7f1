import { ApiError } from '@hengfu/client/api-error.ts';
import { readError, readLines, readReply } from '@hengfu/client/http-reply.ts';
import { type CallArguments, type CallInput, type LooseInput, send, urlOf } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { idempotencyHeader, replayedHeader } from '@hengfu/contract/idempotency';
import { sessionEndpoints } from '@hengfu/contract/session';
import { merchantHeader, merchantParameter } from '@hengfu/contract/workplaces';
import { readCookie } from '@hengfu/ui/browser/cookies.ts';
import { currentLanguage } from '@hengfu/ui/language/i18n.ts';
import { passwordGate, sessionGate } from './gates.ts';
import { pageMerchant } from './session-store.ts';
import { noteSwitchedAway } from './switched-away.ts';

/**
 * Calls the server and returns the reply, parsed by the contract. Throws an {@link ApiError} and shows
 * nothing: queries and mutations show errors through failures.ts, forms show what they can inline.
 */
export async function call<E extends EndpointShape>(
  endpoint: E,
  ...args: CallArguments<E>
): Promise<ReplyOf<E>> {
  return readReply(endpoint, await responseOf(endpoint, args[0] ?? {}));
}

/**
 * Makes a call that has an idempotency key. Throws as {@link call} does.
 * @returns the reply; `isReplayed` if it is that of an earlier attempt, and nothing was done again
 */
export async function callOnce<E extends EndpointShape>(
  endpoint: E,
  input: CallInput<E> & { idempotencyKey: string },
): Promise<{ reply: ReplyOf<E>; isReplayed: boolean }> {
  const response = await responseOf(endpoint, input);
  const isReplayed = response.headers.get(replayedHeader) === 'true';
  return { reply: await readReply(endpoint, response), isReplayed };
}

/**
 * Calls an endpoint that replies in lines: passes each to `onLine` when it arrives, and returns the last one. Throws as
 * {@link call} does.
 */
export async function callLines<E extends EndpointShape>(
  endpoint: E,
  input: CallInput<E>,
  onLine: (line: ReplyOf<E>) => void,
): Promise<ReplyOf<E>> {
  return readLines(endpoint, await responseOf(endpoint, input), onLine);
}

async function responseOf(endpoint: EndpointShape, input: LooseInput): Promise<Response> {
  const writes = endpoint.method !== 'GET';
  if (writes && !endpoint.crossSite && readCookie('XSRF-TOKEN') === undefined) await renewXsrfToken();
  const request = () =>
    send(
      urlOf(endpoint, input),
      {
        method: endpoint.method,
        headers: headersOf(input, writes, endpoint),
        body: input.body === undefined ? null : JSON.stringify(input.body),
        signal: input.signal ?? null,
      },
      endpoint.isStreamed,
    );
  // While the user signs in again, the session may lack its second factor or its merchant.
  if (endpoint.access === 'session' && !input.throwsIfSignedOut) await sessionGate.pending;
  // A refused call has changed nothing, so it can be retried once the user has answered the dialog.
  let response = await requestInSession(request, writes);
  if ((await isSignInNeeded(response)) && !input.throwsIfSignedOut && (await sessionGate.ask()))
    response = await request();
  if (response.status === 423 && (await passwordGate.ask())) response = await request();
  if (response.ok) return response;
  // The message asks the user to try again; a new token lets that succeed.
  if (response.status === 419) await renewXsrfToken().catch(() => undefined);
  const error = await readError(response);
  if (error.code === 'merchant_switched') noteSwitchedAway();
  throw error;
}

/** Writes in flight; any of them may be rotating the session id. */
const writesInFlight = new Set<Promise<Response>>();

/** How long the reply of another tab's write, which rotates the session id, may arrive after our call was refused for it. */
const otherTabMs = 1000;
const lookEveryMs = 50;

/**
 * Sends a request, and retries it once if a concurrent write, perhaps of another tab, rotated the session id meanwhile. The XSRF token
 * changes together with the id, so a new token means a new id.
 */
async function requestInSession(request: () => Promise<Response>, writes: boolean): Promise<Response> {
  const token = readCookie('XSRF-TOKEN');
  const pending = request();
  if (writes) writesInFlight.add(pending);
  const response = await pending.finally(() => writesInFlight.delete(pending));
  if (response.status !== 401) return response;
  await Promise.allSettled(writesInFlight);
  // A page without a user has no session that another tab could rotate.
  for (let waitedMs = 0; pageMerchant() !== undefined && waitedMs < otherTabMs; waitedMs += lookEveryMs) {
    if (readCookie('XSRF-TOKEN') !== token) break;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return readCookie('XSRF-TOKEN') === token ? response : request();
}

/**
 * Whether a call was refused because the session is missing or has not passed its second factor, or because the user, who is signing
 * in again, has no merchant yet.
 */
async function isSignInNeeded(response: Response): Promise<boolean> {
  if (response.status === 401) return true;
  if (response.status !== 403) return false;
  const { code } = await readError(response.clone());
  if (code === 'merchant_choice_required') return sessionGate.pending !== undefined;
  return code === 'two_factor_challenge_required';
}

/**
 * Gets the session and XSRF cookies: before a first write, and after the server refused the old token (419).
 */
export async function renewXsrfToken(): Promise<void> {
  const response = await send(sessionEndpoints.csrfCookie.path, { headers: headersOf({}, false) });
  if (!response.ok) throw await readError(response);
}

/** Builds the URL of a link to a file, which names the page's merchant as calls do. */
export function linkTo(endpoint: EndpointShape, input: Pick<LooseInput, 'params' | 'query'>): string {
  return urlOf(endpoint, { ...input, query: { ...input.query, [merchantParameter]: pageMerchant() } });
}

function headersOf(input: LooseInput, writes: boolean, endpoint?: EndpointShape): Headers {
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': currentLanguage() });
  if (input.body !== undefined) headers.set('Content-Type', 'application/json');
  if (input.idempotencyKey !== undefined) headers.set(idempotencyHeader, input.idempotencyKey);
  const token = readCookie('XSRF-TOKEN');
  if (writes && token !== undefined) headers.set('X-XSRF-TOKEN', token);
  const merchant = pageMerchant();
  if (endpoint?.access === 'session' && merchant !== undefined) headers.set(merchantHeader, merchant);
  return headers;
}
