import { once } from 'node:events';
import { request } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import { linesType, sendLines } from './lines.ts';

let app: FastifyInstance;
afterEach(() => app.close());

const schema = z.object({ number: z.number() });

async function serve(replies: () => AsyncGenerator<unknown>): Promise<string> {
  app = Fastify({ forceCloseConnections: true });
  app.get('/', (_request, reply) => sendLines(reply, schema, replies()));
  return app.listen({ port: 0, host: '127.0.0.1' });
}

it('sends each reply as a line as soon as it is ready', async () => {
  let goOn = () => {};
  const url = await serve(async function* () {
    yield { number: 1 };
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    yield { number: 2 };
  });
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe(`${linesType}; charset=utf-8`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('{"number":1}\n');
  goOn();
  expect((await reader?.read())?.value).toBe('{"number":2}\n');
  expect((await reader?.read())?.done).toBe(true);
});

it('answers an error before the first line as an error, and ends the connection after a later one', async () => {
  const early = await serve(async function* () {
    yield* [];
    throw Object.assign(new Error('refused'), { statusCode: 429 });
  });
  expect((await fetch(early)).status).toBe(429);
  await app.close();
  for (const second of [{ number: 'not a number' }, undefined]) {
    const late = await serve(async function* () {
      yield { number: 1 };
      if (second) yield second;
      throw new Error('broken');
    });
    const response = await fetch(late);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await app.close();
  }
});

it('stops the generator when the client leaves', async () => {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const url = await serve(async function* () {
    try {
      for (let number = 0; ; number++) {
        yield { number };
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      stop();
    }
  });
  const calling = request(url).end();
  const [response] = await once(calling, 'response');
  response.on('error', () => {});
  response.destroy();
  await stopped;
});
