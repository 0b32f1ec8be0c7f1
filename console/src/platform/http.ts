import type { BodyInput, EndpointShape, ParamsInput, QueryInput, ReplyOf } from '@hengfu/contract/endpoint';
import { sessionEndpoints } from '@hengfu/contract/session';
import { ApiError } from './api-error.ts';
import { readCookie } from './cookies.ts';
import { passwordGate, sessionGate } from './gates.ts';
import { readError, readReply } from './http-reply.ts';
import { currentLanguage } from './i18n.ts';

/** Milliseconds after which a call is given up (spec, point 9). */
const timeoutMs = 50_000;

/** A part of the input: absent where the endpoint has none, optional where all of it is. */
type Part<K extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T };

interface CallOptions {
  signal?: AbortSignal;
  /** Makes a repeated write answer its first reply again. */
  idempotencyKey?: string;
  /** Where the session has ended (401), the caller wants to know rather than have the reader sign in again. */
  isLeaving?: boolean;
}

/** What a call of this endpoint is given. */
export type CallInput<E extends EndpointShape> = Part<'params', ParamsInput<E>> &
  Part<'query', QueryInput<E>> &
  Part<'body', BodyInput<E>> &
  CallOptions;

export type CallArguments<E extends EndpointShape> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

/** The input as this file handles it: the exact types are for the callers. */
interface LooseInput extends CallOptions {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/**
 * Calls the server and gives back the reply, parsed by the contract. Throws an {@link ApiError} and shows nothing: a
 * query or mutation shows it by failures.ts, a form shows in place what it can.
 */
export async function call<E extends EndpointShape>(
  endpoint: E,
  ...args: CallArguments<E>
): Promise<ReplyOf<E>> {
  const input: LooseInput = args[0] ?? {};
  const writes = endpoint.method !== 'GET';
  if (writes && !endpoint.crossSite && readCookie('XSRF-TOKEN') === undefined) await renewXsrfToken();
  const ask = () =>
    send(urlOf(endpoint, input), {
      method: endpoint.method,
      headers: headersOf(input, writes),
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: input.signal ?? null,
    });
  // A refused call has changed nothing: once the reader has answered, it goes on as if nothing had been asked.
  let response = await askInSession(ask, writes);
  if ((await isSignInNeeded(response)) && !input.isLeaving && (await sessionGate.ask()))
    response = await ask();
  if (response.status === 423 && (await passwordGate.ask())) response = await ask();
  if (response.ok) return readReply(endpoint, response);
  // The reader is told to try again: then with a token of the session that there is.
  if (response.status === 419) await renewXsrfToken().catch(() => undefined);
  throw await readError(response);
}

/** Writes under way: any of them may be renewing the session's id. */
const writing = new Set<Promise<Response>>();

/**
 * Sends a call; sends it once more where it went out under a session id that another call was just replacing. The XSRF
 * token goes with the id, so a new token tells of a new id.
 */
async function askInSession(ask: () => Promise<Response>, writes: boolean): Promise<Response> {
  const token = readCookie('XSRF-TOKEN');
  const asked = ask();
  if (writes) writing.add(asked);
  const response = await asked.finally(() => writing.delete(asked));
  if (response.status !== 401) return response;
  await Promise.allSettled(writing);
  return readCookie('XSRF-TOKEN') === token ? response : ask();
}

/** Whether a call was refused for want of a session, or of a second factor that the session has not passed. */
async function isSignInNeeded(response: Response): Promise<boolean> {
  if (response.status === 401) return true;
  if (response.status !== 403) return false;
  const { code } = await readError(response.clone());
  return code === 'two_factor_challenge_required';
}

/** Asks for the session and XSRF cookies: before a first write, and after the server refused the old token (419). */
export async function renewXsrfToken(): Promise<void> {
  const response = await send(sessionEndpoints.csrfCookie.path, { headers: headersOf({}, false) });
  if (!response.ok) throw await readError(response);
}

/** Path with its parameters and query; a query value that is undefined or empty is left out. */
export function urlOf(endpoint: EndpointShape, input: Pick<LooseInput, 'params' | 'query'>): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

function headersOf(input: LooseInput, writes: boolean): Headers {
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': currentLanguage() });
  if (input.body !== undefined) headers.set('Content-Type', 'application/json');
  if (input.idempotencyKey !== undefined) headers.set('Idempotency-Key', input.idempotencyKey);
  const token = readCookie('XSRF-TOKEN');
  if (writes && token !== undefined) headers.set('X-XSRF-TOKEN', token);
  return headers;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  try {
    return await fetch(url, { ...init, signal, credentials: 'include' });
  } catch (error) {
    // A caller that gave up itself wants its own abort back, not an error to show.
    if (init.signal?.aborted) throw error;
    throw new ApiError({ status: 0, code: timeout.aborted ? 'timeout' : 'network', message: '' });
  }
}
