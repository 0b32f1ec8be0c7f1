import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type { CallbackFailure } from '@hengfu/contract/callbacks';
import { request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { callbackAgent } from './agent.ts';
import { failureOf } from './failures.ts';
import { publicTargets, type TargetPolicy } from './target.ts';

const loopback: TargetPolicy = { resolve: async () => ['127.0.0.1'], isAllowed: () => true };
const sockets = new Set<Socket>();
let server: Server | undefined;

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

/** Starts a server that handles each connection with `answer`; returns its port. */
async function listen(answer: (socket: Socket) => void): Promise<number> {
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

async function failureAt(url: string, targets = loopback): Promise<CallbackFailure | 'answered'> {
  const dispatcher = callbackAgent(targets);
  try {
    const signal = AbortSignal.timeout(500);
    const { body } = await request(url, { dispatcher, method: 'POST', body: '{}', signal });
    await body.dump();
    return 'answered';
  } catch (error) {
    return failureOf(error);
  } finally {
    await dispatcher.destroy();
  }
}

const cases: [CallbackFailure | 'answered', string, string, (socket: Socket) => void][] = [
  ['answered', 'answers', 'http', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')],
  ['unreachable', 'hangs up', 'http', (socket) => socket.destroy()],
  ['unreachable', 'resets the connection', 'http', (socket) => socket.resetAndDestroy()],
  [
    'answered',
    'answers and hangs up',
    'http',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'),
  ],
  ['timeout', 'never answers', 'http', () => {}],
  ['noHttp', 'speaks something else', 'http', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
  [
    'noHttp',
    'sends headers that are too large',
    'http',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(200_000)}\r\n\r\n`),
  ],
  ['certificate', 'speaks no TLS', 'https', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
];

it.each(cases)('returns “%s” if the server %s', async (failure, _name, scheme, answer) => {
  const port = await listen(answer);
  expect(await failureAt(`${scheme}://shop.test:${port}/`)).toBe(failure);
});

it('returns “unreachable” if nothing listens, and “notPublic” if the target is refused', async () => {
  const port = await listen(() => {});
  await new Promise((resolve) => server?.close(resolve));
  server = undefined;
  expect(await failureAt(`http://shop.test:${port}/`)).toBe('unreachable');
  expect(await failureAt(`http://127.0.0.1:${port}/`, publicTargets(['127.0.0.1:9']))).toBe('notPublic');
});
