import { wrongChanges } from './changes.ts';
import type { FuzzTarget } from './target.ts';

const host = 'Host: 127.0.0.1\r\n';
const json = 'Content-Type: application/json\r\n';

/** Messages that are not HTTP, or malformed and ambiguous HTTP as in request smuggling. */
const messages: readonly string[] = [
  '\r\n\r\n\r\n',
  '\0'.repeat(100),
  'GET\r\n\r\n',
  'GET /api/csrf-cookie\r\n\r\n',
  'GET /api/csrf-cookie HTTP/9.9\r\n\r\n',
  'GET /api/csrf-cookie HTTP/1.0\r\n\r\n',
  'GET /api/csrf-cookie HTTP/1.1\r\n\r\n',
  `get /api/csrf-cookie HTTP/1.1\r\n${host}\r\n`,
  `FUZZ /api/csrf-cookie HTTP/1.1\r\n${host}\r\n`,
  `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${host}\r\n`,
  `GET /api/\0 HTTP/1.1\r\n${host}\r\n`,
  `GET /api/%\u00ff HTTP/1.1\r\n${host}\r\n`,
  `GET /api/a b HTTP/1.1\r\n${host}\r\n`,
  `GET http://evil.test/api/csrf-cookie HTTP/1.1\r\n${host}\r\n`,
  `GET * HTTP/1.1\r\n${host}\r\n`,
  `GET //evil.test/%2e%2e HTTP/1.1\r\n${host}\r\n`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
  `GET / HTTP/1.1\r\n${host}X: \0\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}X : y\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host} folded: y\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}${'X: y\r\n'.repeat(3000)}\r\n`,
  `GET /api/csrf-cookie HTTP/1.1\r\n${host}Expect: nothing\r\n\r\n`,
  `GET /api/csrf-cookie HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Content-Length: -1\r\n\r\n{}`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Content-Length: 1e3\r\n\r\n{}`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Content-Length: 99\r\n\r\n{}`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `POST /api/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  `POST /openapi/v1/payouts HTTP/1.1\r\n${host}${json}X-Key: a\r\nX-Key: b\r\nContent-Length: 0\r\n\r\n`,
  `POST /api/channels/CN_BANK/callback HTTP/1.1\r\n${host}${json}Content-Length: 2\r\n\r\n{}`,
  `POST /api/channels/__proto__/callback HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\n\xff`,
  `POST /api/channels/${'x'.repeat(300)}/callback HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`,
];

/** Sends malformed messages. None may cause a 5xx reply, write a row or stop the process. */
export async function sendRawMessages(target: FuzzTarget): Promise<{ sent: number; faults: string[] }> {
  const faults: string[] = [];
  for (const message of messages) {
    const answer = await target.clients.merchants.sendBytes(Buffer.from(message, 'latin1'));
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
    const fault = (what: string) => faults.push(`${JSON.stringify(message.slice(0, 100))} ${what}`);
    if (status >= 500) fault(`gets the reply ${status}`);
    const changes = wrongChanges(await target.changes.takeNew());
    if (changes.length > 0) fault(`has written: ${changes.join(', ')}`);
  }
  const { status } = await target.clients.merchants.send({
    method: 'GET',
    target: '/healthz',
    headers: {},
    body: undefined,
  });
  if (status !== 200) faults.push(`after the broken messages, /healthz replies ${status}`);
  return { sent: messages.length, faults };
}
