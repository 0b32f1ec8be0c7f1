import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { listen } from './listen.ts';

it.each(['localhost', '127.0.0.1'])('listens at one address of %s, and returns its port', async (host) => {
  const app = Fastify();
  app.get('/', () => 'served');
  try {
    const port = await listen(app, { port: 0, host });
    expect(app.addresses()).toMatchObject([{ address: '127.0.0.1', port }]);
    expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('served');
  } finally {
    await app.close();
  }
});
