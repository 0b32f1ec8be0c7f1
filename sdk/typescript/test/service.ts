import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reply of the service in a test; `drop` ends the connection without one, `hang` leaves it open. */
export type Reply = 'drop' | 'hang' | { status: number; headers?: Record<string, string>; body: string };

/** A request as it arrived. */
export interface Arrived {
  method: string;
  url: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** Starts a server that gives one reply after the other. Returns its address and the requests that arrive. */
export async function startService(replies: readonly Reply[]) {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const reply = replies[arrived.length] ?? { status: 500, body: 'one attempt too many' };
    arrived.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    if (reply === 'drop') request.socket.destroy();
    else if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived, stop };
}
