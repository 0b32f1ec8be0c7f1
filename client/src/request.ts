import {
  type BodyInput,
  type EndpointShape,
  fileBodyLimits,
  type ParamsInput,
  type QueryInput,
} from '@hengfu/contract/endpoint';
import { ApiError } from './api-error.ts';

/** A call times out after this long (spec, point 9). */
const timeoutMs = 50_000;
/** A file has the time that the server lets it take, too: `fetch` reports no upload progress. */
const timeoutOf = (body: RequestInit['body']) =>
  timeoutMs + (body instanceof Blob ? (body.size / fileBodyLimits.bytesPerSecond) * 1000 : 0);

/** A part of the input: absent if the endpoint has none, optional if all its members are. */
type Part<K extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T };

export interface CallOptions {
  /** The body of a call whose body is a file. */
  file?: Blob;
  signal?: AbortSignal;
  /** A repeated write with the same key returns the first reply. */
  idempotencyKey?: string;
  /** On an ended session (401), throw instead of asking the user to sign in again. */
  throwsIfSignedOut?: boolean;
}

/** The input of a call to an endpoint. */
export type CallInput<E extends EndpointShape> = Part<'params', ParamsInput<E>> &
  Part<'query', QueryInput<E>> &
  Part<'body', BodyInput<E>> &
  CallOptions;

export type CallArguments<E extends EndpointShape> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

/** The input as handled in this file; callers get the exact types. */
export interface LooseInput extends CallOptions {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Builds the URL from path parameters and query; omits undefined and empty query values. */
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

/**
 * Sends a request. Throws an {@link ApiError} if no reply arrives.
 * @param isStreamed the timeout ends with the reply's headers: lines may arrive for as long as the server works
 */
export async function send(url: string, init: RequestInit, isStreamed = false): Promise<Response> {
  const started = new AbortController();
  const limitMs = timeoutOf(init.body);
  const timer = isStreamed ? setTimeout(() => started.abort(), limitMs) : undefined;
  const timeout = isStreamed ? started.signal : AbortSignal.timeout(limitMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  try {
    return await fetch(url, { ...init, signal, credentials: 'include' });
  } catch (error) {
    // A caller that aborted gets its own abort error back, not one to show.
    if (init.signal?.aborted) throw error;
    throw new ApiError({ status: 0, code: timeout.aborted ? 'timeout' : 'network', message: '' });
  } finally {
    clearTimeout(timer);
  }
}
