import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { installErrorHandler } from './error-handler.ts';
import { observeCalls, timeCalls } from './observe-calls.ts';

const slowMs = 300;

it('notes what the service did and failed at, and how long that took it: nothing of what callers do', async () => {
  const noted: { elapsedMs: number; isFailed: boolean }[] = [];
  const app = Fastify();
  installErrorHandler(app);
  timeCalls(app);
  observeCalls(app, (elapsedMs, isFailed) => noted.push({ elapsedMs, isFailed }));
  // A client that takes its time with the body.
  app.addHook('preParsing', async () => pause(slowMs));
  app.post('/api/done', async () => ({}));
  app.post('/api/broken', async () => {
    throw new Error('a fault of ours');
  });
  app.post('/api/refused', async () => {
    throw new Refusal('forbidden');
  });
  app.post('/api/bank', async () => {
    throw new Refusal('channel_unavailable');
  });
  for (const path of ['/api/done', '/api/refused', '/api/bank', '/api/none', '/api/broken'])
    await app.inject({ method: 'POST', url: path, payload: {} });
  expect(noted.map(({ isFailed }) => isFailed)).toEqual([false, true]);
  for (const { elapsedMs } of noted) expect(elapsedMs).toBeLessThan(slowMs);
  await app.close();
});
