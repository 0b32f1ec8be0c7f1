import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { callbackAgent, checkLiteralTarget } from './target.ts';

const asked: string[] = [];
const server = createServer(({ url }, response) => {
  asked.push(url ?? '');
  if (url?.startsWith('/away')) response.writeHead(307, { location: '/' });
  response.end('reached');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

describe('a callback', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
  ])('does not go to %s', (url) => {
    expect(() => checkLiteralTarget(new URL(url), false)).toThrow('not a public one');
    expect(() => checkLiteralTarget(new URL(url), true)).not.toThrow();
  });

  it('may go to an address on the internet', () => {
    expect(() => checkLiteralTarget(new URL('https://203.0.114.7/'), false)).not.toThrow();
  });

  it('does not go to a name that leads to our own machine, unless in demo mode', async () => {
    const url = `http://localhost:${port}/`;
    await expect(request(url, { dispatcher: callbackAgent(false) })).rejects.toThrow('not a public one');
    const { body } = await request(url, { dispatcher: callbackAgent(true) });
    expect(await body.text()).toBe('reached');
  });

  it('goes no further than where it was sent', async () => {
    const { statusCode } = await request(`http://127.0.0.1:${port}/away`, {
      dispatcher: callbackAgent(true),
    });
    expect([statusCode, asked.at(-1)]).toEqual([307, '/away']);
  });
});

it('nor does a call to the bank', async () => {
  const bank = new SandboxAdapter({ url: `http://127.0.0.1:${port}/away`, secret: 's' });
  await expect(bank.cancelCollection('C1')).rejects.toThrow('did not answer');
  expect(asked.at(-1)).toMatch(/^\/away/);
});
