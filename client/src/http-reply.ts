import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { errorReply } from '@hengfu/contract/error-reply';
import * as z from 'zod';
import { ApiError } from './api-error.ts';

/**
 * Parses the reply's body by the contract; undefined for an endpoint without one. Throws `unreadable_reply`
 * if the body does not match.
 */
export async function readReply<E extends EndpointShape>(
  endpoint: E,
  response: Response,
): Promise<ReplyOf<E>> {
  if (endpoint.reply === undefined) return undefined as ReplyOf<E>;
  return parseReply(endpoint, response, await bodyOf(response).catch(rethrowAsTransportError));
}

/** Parses the lines of a reply as they arrive; returns the last one. Throws as {@link readReply} does. */
export async function readLines<E extends EndpointShape>(
  endpoint: E,
  response: Response,
  onLine: (line: ReplyOf<E>) => void,
): Promise<ReplyOf<E>> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let last: ReplyOf<E> | undefined;
  let incomplete = '';
  for (;;) {
    const { done = true, value = '' } = (await reader?.read().catch(rethrowAsTransportError)) ?? {};
    if (done) break;
    const lines = (incomplete + value).split('\n');
    incomplete = lines.pop() ?? '';
    for (const line of lines) {
      last = parseReply(endpoint, response, parseJson(line));
      onLine(last);
    }
  }
  return last ?? parseReply(endpoint, response, undefined);
}

function parseReply<E extends EndpointShape>(endpoint: E, response: Response, body: unknown): ReplyOf<E> {
  const parsed = endpoint.reply?.safeParse(body);
  if (parsed?.success) return parsed.data as ReplyOf<E>;
  // Console and server versions do not match (a release in progress). The cause names the offending field.
  throw new ApiError(
    { status: response.status, code: 'unreadable_reply', message: '' },
    { cause: new Error(`${endpoint.method} ${endpoint.path}`, { cause: parsed?.error }) },
  );
}

/** An error reply that lacks the product's own fields: by a proxy, or with a code of a newer release. */
const plainReply = z.object({
  message: z.string().catch(''),
  errors: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
});

/** Reads the error from a reply with a status of 400 or more, including replies by a proxy. */
export async function readError(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const shared = {
    status: response.status,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  };
  const body = await bodyOf(response).catch(() => undefined);
  const parsed = errorReply.safeParse(body);
  if (!parsed.success) {
    const { message = '', errors: fieldErrors } = plainReply.safeParse(body).data ?? {};
    return new ApiError({ ...shared, code: codeOfStatus(response.status), message, fieldErrors });
  }
  const { message, code, errors, request_id } = parsed.data;
  return new ApiError({ ...shared, message, code, fieldErrors: errors, requestId: request_id });
}

function codeOfStatus(status: number): ApiError['code'] {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 419) return 'csrf_mismatch';
  if (status === 422) return 'validation_failed';
  if (status === 502 || status === 503 || status === 504) return 'unavailable';
  return 'unreadable_reply';
}

/** Parses the body as JSON; undefined if it is not JSON. Rejects if the body is incomplete. */
async function bodyOf(response: Response): Promise<unknown> {
  return parseJson(await response.text());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Treats an incomplete reply like none at all: it is unknown whether the server acted. */
function rethrowAsTransportError(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  // A caller that aborted gets its own abort error back.
  if (name === 'AbortError') throw error;
  throw new ApiError({ status: 0, code: name === 'TimeoutError' ? 'timeout' : 'network', message: '' });
}
