import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { installErrorHandler } from './error-handler.ts';
import { observeCalls, timeCalls } from './observe-calls.ts';

const slowMs = 300;

it('records successes and failures with the server’s own time, and no rejected calls', async () => {
  const recorded: { elapsedMs: number; isFailed: boolean }[] = [];
  const app = Fastify();
  installErrorHandler(app);
  timeCalls(app);
  observeCalls(app, (elapsedMs, isFailed) => recorded.push({ elapsedMs, isFailed }));
  // Simulates a client that sends its body slowly.
  app.addHook('preParsing', async () => pause(slowMs));
  app.post('/api/done', async () => ({}));
  app.post('/api/broken', async () => {
    throw new Error('broken');
  });
  app.post('/api/refused', async () => {
    throw new Refusal('forbidden');
  });
  app.post('/api/bank', async () => {
    throw new Refusal('channel_unavailable');
  });
  for (const path of ['/api/done', '/api/refused', '/api/bank', '/api/none', '/api/broken'])
    await app.inject({ method: 'POST', url: path, payload: {} });
  expect(recorded.map(({ isFailed }) => isFailed)).toEqual([false, true]);
  for (const { elapsedMs } of recorded) expect(elapsedMs).toBeLessThan(slowMs);
  await app.close();
});
