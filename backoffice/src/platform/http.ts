import { readError, readReply } from '@hengfu/client/http-reply.ts';
import { type CallArguments, type LooseInput, send, urlOf } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { readCookie } from '@hengfu/ui/browser/cookies.ts';
import { currentLanguage } from '@hengfu/ui/language/i18n.ts';
import { clearUser } from './session-store.ts';

const xsrfCookie = 'STAFF-XSRF-TOKEN';

/**
 * Calls the server and returns the reply, parsed by the contract. Throws an `ApiError`. A session that has ended leads to the
 * sign-in page.
 */
export async function call<E extends EndpointShape>(
  endpoint: E,
  ...args: CallArguments<E>
): Promise<ReplyOf<E>> {
  const input: LooseInput = args[0] ?? {};
  const writes = endpoint.method !== 'GET';
  if (writes && readCookie(xsrfCookie) === undefined) await renewXsrfToken();
  const response = await send(urlOf(endpoint, input), {
    method: endpoint.method,
    headers: headersOf(input, writes),
    body: input.file ?? (input.body === undefined ? null : JSON.stringify(input.body)),
    signal: input.signal ?? null,
  });
  if (response.ok) return readReply(endpoint, response);
  if (response.status === 401) clearUser(true);
  // The message asks the user to try again; a new token lets that succeed.
  if (response.status === 419) await renewXsrfToken().catch(() => undefined);
  throw await readError(response);
}

async function renewXsrfToken(): Promise<void> {
  const response = await send(staffSessionEndpoints.csrfCookie.path, { headers: headersOf({}, false) });
  if (!response.ok) throw await readError(response);
}

function headersOf(input: LooseInput, writes: boolean): Headers {
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': currentLanguage() });
  if (input.body !== undefined) headers.set('Content-Type', 'application/json');
  if (input.file) headers.set('Content-Type', 'application/octet-stream');
  const token = readCookie(xsrfCookie);
  if (writes && token !== undefined) headers.set('X-XSRF-TOKEN', token);
  return headers;
}
