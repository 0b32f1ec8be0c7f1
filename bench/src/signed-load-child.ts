import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { signedCalls } from './signed-calls.ts';
import type { LoadPlan, LoadResult } from './signed-load.ts';

/** Builds a signed request as bytes, following docs/open-api.md. */
function signedRequest(plan: LoadPlan, number: number): Buffer {
  const key = plan.keys[number % plan.keys.length];
  if (!key) throw new Error('the load has no keys');
  const { path, bodyOf } = signedCalls[plan.call];
  const body = JSON.stringify(bodyOf(number));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(12).toString('hex');
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const canonical = ['POST', path, timestamp, nonce, bodyHash].join('\n');
  const signature = createHmac('sha256', key.secret).update(canonical).digest('hex');
  const { host } = new URL(plan.url);
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-key: ${key.id}`,
    `x-timestamp: ${timestamp}`,
    `x-nonce: ${nonce}`,
    `x-signature: ${signature}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Calls `onReply` with the status and text of each complete reply. */
function readReplies(socket: Socket, onReply: (status: number, reply: string) => void): void {
  let pending = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    pending += chunk;
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, headEnd))?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (pending.length < end) return;
      const reply = pending.slice(0, end);
      pending = pending.slice(end);
      onReply(Number(reply.slice(9, 12)), reply);
    }
  });
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const requests = Array.from({ length: plan.requests }, (_, index) =>
    signedRequest(plan, plan.first + index),
  );
  const result: LoadResult = { answered: 0, seconds: 0, latenciesMs: [] };
  const sockets = await Promise.all(Array.from({ length: plan.clients }, () => openSocket(plan.url)));
  let next = 0;
  const startedAt = performance.now();
  const measuredFrom = startedAt + (plan.rampSeconds ?? 0) * 1000;
  const endAt = measuredFrom + plan.seconds * 1000;
  // At a fixed rate, latency counts from when a request was due, so that a stall affects all requests queued
  // behind it.
  const dueAt = (number: number) =>
    plan.perSecond === undefined ? performance.now() : startedAt + (number * 1000) / plan.perSecond;
  const client = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      const send = () => {
        const number = next++;
        const request = requests[number];
        const due = dueAt(number);
        if (request === undefined || due >= endAt || performance.now() >= endAt) {
          socket.end();
          resolve();
          return;
        }
        sentAt = due;
        const wait = due - performance.now();
        if (wait > 1) setTimeout(() => socket.write(request), wait);
        else socket.write(request);
      };
      readReplies(socket, (status, reply) => {
        if (status !== 201) throw new Error(`a call was refused: ${reply}`);
        result.answered++;
        if (sentAt >= measuredFrom) result.latenciesMs.push(performance.now() - sentAt);
        send();
      });
      socket.once('error', reject);
      send();
    });
  await Promise.all(sockets.map(client));
  result.seconds = (performance.now() - startedAt) / 1000;
  return result;
}

process.once('message', async (plan: LoadPlan) => {
  process.send?.(await run(plan));
});
