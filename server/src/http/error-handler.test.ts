import { errorReply } from '@hengfu/contract/error-reply';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { installErrorHandler } from './error-handler.ts';

const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const hungUp = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });

it.each([
  ['a connection to the database that broke', broken, 503, 'unavailable'],
  ['a caller who hung up', hungUp, 400, 'bad_request'],
  ['a fault of our own', new Error('no such thing'), 500, 'internal'],
])('%s is told for what it is', async (_name, error, status, code) => {
  const app = Fastify();
  installErrorHandler(app);
  app.get('/', async () => {
    throw error;
  });
  const answer = await app.inject('/');
  expect([answer.statusCode, errorReply.parse(answer.json()).code]).toEqual([status, code]);
  await app.close();
});
