import { errorReply } from '@hengfu/contract/error-reply';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { installErrorHandler } from './error-handler.ts';

const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const hungUp = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });

it.each([
  ['a broken database connection', broken, 503, 'unavailable'],
  ['a client that disconnected', hungUp, 400, 'bad_request'],
  ['an unexpected error', new Error('no such thing'), 500, 'internal'],
])('%s gets its own status and code', async (_name, error, status, code) => {
  const app = Fastify();
  installErrorHandler(app);
  app.get('/', async () => {
    throw error;
  });
  const answer = await app.inject('/');
  expect([answer.statusCode, errorReply.parse(answer.json()).code]).toEqual([status, code]);
  await app.close();
});

it('never answers a client error as a server error', async () => {
  const app = Fastify();
  installErrorHandler(app);
  app.get<{ Params: { status: string } }>('/:status', async ({ params }) => {
    throw Object.assign(new Error('refused'), { statusCode: Number(params.status) });
  });
  for (let status = 400; status < 500; status++) {
    const answer = await app.inject(`/${status}`);
    expect(answer.statusCode, String(status)).toBeLessThan(500);
    expect(errorReply.parse(answer.json()).code).not.toBe('internal');
  }
  const codes = await Promise.all(
    [403, 413, 431].map(async (status) => (await app.inject(`/${status}`)).json()),
  );
  expect(codes.map(({ code }) => code)).toEqual(['forbidden', 'payload_too_large', 'payload_too_large']);
  await app.close();
});
