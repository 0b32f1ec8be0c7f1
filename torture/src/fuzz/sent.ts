import { randomUUID } from 'node:crypto';
import { signatureOf } from '@hengfu/server/http/signature.ts';
import type { Call } from './call.ts';
import type { Sent } from './client.ts';
import type { Operation } from './document.ts';
import type { FuzzTarget } from './target.ts';

/** Builds the request for a call: fills in placeholders and adds its caller's cookies or signature. */
export function sentBy(
  { people, pool }: Pick<FuzzTarget, 'people' | 'pool'>,
  { access }: Operation,
  call: Call,
): Sent {
  const { who, method } = call;
  const person = who === 'nobody' || who === 'program' ? undefined : people[who];
  const fill = (text: string) => pool.fill(text, person ?? {});
  const query = call.query.map(([name, value]) => `${encoded(name)}=${encoded(fill(value))}`).join('&');
  const target = fill(call.path) + (query === '' ? '' : `?${query}`);
  const body = typeof call.body === 'string' ? Buffer.from(fill(call.body)) : call.body;
  const cookies = Object.entries(person?.cookies ?? {}).map(([name, value]) => `${name}=${value}`);
  const headers = {
    ...(cookies.length > 0 && {
      cookie: cookies.join('; '),
      'x-xsrf-token': person?.cookies['STAFF-XSRF-TOKEN'] ?? person?.cookies['XSRF-TOKEN'] ?? '',
    }),
    ...(who === 'program' && access === 'signed' && signed(people.key, { method, target, body })),
    ...Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, ascii(fill(value))])),
  };
  return { method, target, headers, body };
}

function signed(
  { id, secret }: FuzzTarget['people']['key'],
  { method, target, body }: Pick<Sent, 'method' | 'target' | 'body'>,
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const parts = { method, pathWithQuery: target, timestamp, nonce, body: body ?? Buffer.alloc(0) };
  return {
    'x-key': id,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': signatureOf(secret, parts),
  };
}

/** Replaces what is left of twisted placeholders, which a header cannot carry. */
function ascii(text: string): string {
  return text.replaceAll(/[⟦⟧]/g, '?');
}

/** Percent-encodes a text; replaces lone surrogates, which have no UTF-8 encoding. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
