import { type ClientRequest, request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { statementLimits } from '@hengfu/contract/staff/statement-days';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import { passBodiesOn } from './bodies.ts';
import { takeFiles } from './file-bodies.ts';
import { createServer } from './server.ts';

const requestMs = 300;
const pace = { requestMs, idleMs: 900, bytesPerSecond: 2000 };

let app: FastifyInstance;
let port: number;
/** Pauses after each part that the reader of a file has read. */
let readerPauseMs = 0;

beforeAll(async () => {
  app = await createServer({ appUrl: undefined, trustedProxies: [] }, pino({ level: 'silent' }));
  takeFiles(app, [], requestMs);
  await app.register(async (scope) => {
    passBodiesOn(scope, pace).post('/file', { config: { isFileBody: true } }, async ({ body }) => {
      let bytes = 0;
      for await (const chunk of body as Readable) {
        bytes += chunk.length;
        await wait(readerPauseMs);
      }
      return { bytes };
    });
  });
  app.post('/json', async () => ({ done: true }));
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

/** Sends a body in parts, with a pause after each. Returns the status and the reply. */
async function send(path: string, parts: readonly number[], pauseMs: number, isWhole = true) {
  const type = path === '/json' ? 'application/json' : 'application/octet-stream';
  const sending: ClientRequest = request({
    port,
    path,
    method: 'POST',
    headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
  });
  const reply = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', async (response) =>
      resolve({ status: response.statusCode, text: await text(response) }),
    );
  });
  reply.catch(() => undefined);
  for (const bytes of parts) {
    if (sending.destroyed) break;
    sending.write(Buffer.alloc(bytes, ' '));
    await wait(pauseMs);
  }
  if (isWhole) sending.end();
  return reply;
}

describe('a file', () => {
  it('arrives although it takes longer than other requests may', async () => {
    expect(await send('/file', Array(20).fill(400), 60)).toEqual({ status: 200, text: '{"bytes":8000}' });
  });

  it('is refused if it arrives too slowly, or stops arriving', async () => {
    const replies = await Promise.all([
      send('/file', Array(40).fill(1), 50, false),
      send('/file', [60_000], 0, false),
    ]);
    for (const { status, text: body } of replies) {
      expect(status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ code: 'upload_stalled' });
    }
  });

  it('is not refused for the time that its reader takes', async () => {
    readerPauseMs = 400;
    expect(await send('/file', Array(5).fill(200), 10)).toMatchObject({ status: 200 });
    readerPauseMs = 0;
  });
});

it('any other body has the time of every request', async () => {
  await expect(send('/json', Array(100).fill(1000), 20, false)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('the back office gives the largest statement its time, and the merchants’ door none of it', async () => {
  const product = await TestProduct.start(inject('ownerUrl'));
  const staff = await TestStaff.start(product);
  try {
    expect(product.app.server.requestTimeout).toBe(60_000);
    const { requestTimeout, headersTimeout } = staff.app.server;
    expect(requestTimeout).toBeGreaterThan((statementLimits.uploadBytes / (64 * 1024)) * 1000);
    expect(requestTimeout).toBeLessThan(3 * 3_600_000);
    expect(headersTimeout).toBe(60_000);
  } finally {
    await staff.close();
    await product.close();
  }
});
