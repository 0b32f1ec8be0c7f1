import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { errorReply } from '@hengfu/contract/error-reply';
import { ApiError } from './api-error.ts';

/** The reply's body as the contract describes it; undefined for an endpoint that answers without one. */
export async function readReply<E extends EndpointShape>(
  endpoint: E,
  response: Response,
): Promise<ReplyOf<E>> {
  if (endpoint.reply === undefined) return undefined as ReplyOf<E>;
  const parsed = endpoint.reply.safeParse(await bodyOf(response).catch(throwAsTransport));
  if (parsed.success) return parsed.data as ReplyOf<E>;
  // The reader only learns that the two sides do not fit (a release under way); which field is off stands in the cause.
  throw new ApiError(
    { status: response.status, code: 'unreadable_reply', message: '' },
    { cause: new Error(`${endpoint.method} ${endpoint.path}`, { cause: parsed.error }) },
  );
}

/** The error that a reply with a status of 400 or more stands for, also where a proxy answered in the server's place. */
export async function readError(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const shared = {
    status: response.status,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  };
  const parsed = errorReply.safeParse(await bodyOf(response).catch(() => undefined));
  if (!parsed.success) return new ApiError({ ...shared, code: codeOfStatus(response.status), message: '' });
  const { message, code, errors, request_id } = parsed.data;
  return new ApiError({ ...shared, message, code, fieldErrors: errors, requestId: request_id });
}

function codeOfStatus(status: number): ApiError['code'] {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 419) return 'csrf_mismatch';
  if (status === 502 || status === 503 || status === 504) return 'unavailable';
  return 'unreadable_reply';
}

/** Undefined for what is no JSON; rejects where it did not come whole. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An answer that began and never ended: nobody knows whether the server acted, as if none had come. */
function throwAsTransport(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  // A caller that gave up itself wants its own abort back.
  if (name === 'AbortError') throw error;
  throw new ApiError({ status: 0, code: name === 'TimeoutError' ? 'timeout' : 'network', message: '' });
}
