import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { isPublicAddress } from '#security/public-addresses.ts';
import { NameServer, type Zone } from '../testing/name-server.ts';
import { callbackAgent } from './agent.ts';
import { anyTargets, publicTargets, type TargetPolicy } from './target.ts';

/** Both on loopback, because no test may call the internet: the merchant's server, and our own network. */
const shopAddress = '127.0.0.2';
const ownAddress = '127.0.0.1';

/** Requests received: the address called, followed by the path. */
let reached: string[] = [];
const servers: Server[] = [];
let port = 0;
let nameServer: NameServer;
let zone: Zone = () => undefined;
/** Judges addresses as in production, but allows the merchant's. */
let policy: TargetPolicy;

beforeAll(async () => {
  for (const address of [shopAddress, ownAddress]) port = await listen(address, port);
  nameServer = new NameServer((name, type) => zone(name, type));
  const isAllowed = (address: string) => address === shopAddress || isPublicAddress(address);
  policy = { ...publicTargets([await nameServer.listen()]), isAllowed };
});
afterAll(() => {
  for (const server of servers) server.close();
  nameServer.close();
});
beforeEach(() => {
  reached = [];
  nameServer.queries.length = 0;
});

async function listen(address: string, wantedPort: number): Promise<number> {
  const server = createServer(({ url, socket }, response) => {
    reached.push(`${socket.localAddress}${url}`);
    if (url?.startsWith('/away')) response.writeHead(307, { location: `http://${ownAddress}:${port}/` });
    response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(wantedPort, address, resolve));
  return (server.address() as AddressInfo).port;
}

/** Calls a URL over a new connection; returns the status, or the error's message. */
async function call(url: string, targets = policy): Promise<number | string> {
  const dispatcher = callbackAgent(targets);
  try {
    const { statusCode, body } = await request(url, { dispatcher, method: 'POST' });
    await body.dump();
    return statusCode;
  } catch (error) {
    return error instanceof Error ? error.message : 'failed';
  } finally {
    await dispatcher.destroy();
  }
}

const refusal = 'no public server at this address';

describe('an address in a URL', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '１２７.0.0.1',
    '127。0。0。1',
    '0.0.0.0',
    '0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '255.255.255.255',
    '224.0.0.1',
    '198.18.0.1',
    '203.0.113.7',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:1::1]',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[ff02::1]',
    '[::ffff:0:7f00:1]',
  ])('%s is refused before anything is sent', async (host) => {
    expect(await call(`http://${host}:${port}/`)).toBe(refusal);
    expect([reached, nameServer.queries]).toEqual([[], []]);
  });

  it('is called if it is public, on any port', async () => {
    expect(await call(`http://${shopAddress}:${port}/`)).toBe(200);
    expect(await call(`http://0x7f.2:${port}/`)).toBe(200);
    expect(reached).toEqual([`${shopAddress}/`, `${shopAddress}/`]);
  });

  it('is called in demo mode even if it is private', async () => {
    expect(await call(`http://${ownAddress}:${port}/`, anyTargets)).toBe(200);
    expect(await call(`http://localhost:${port}/`, anyTargets)).toBe(200);
    expect(reached).toEqual([`${ownAddress}/`, `${ownAddress}/`]);
  });
});

describe('a name', () => {
  const url = () => `http://shop.test:${port}/`;

  it('is called at the address that was checked, after a single resolution', async () => {
    zone = (_, type) => (type === 'A' ? [shopAddress] : []);
    expect(await call(url())).toBe(200);
    expect(reached).toEqual([`${shopAddress}/`]);
    expect(nameServer.queries.toSorted()).toEqual(['A shop.test', 'AAAA shop.test']);
  });

  it('is resolved and checked again for every call, so that DNS rebinding fails', async () => {
    let answers = 0;
    zone = (_, type) => (type === 'A' ? [++answers === 1 ? shopAddress : ownAddress] : []);
    expect(await call(url())).toBe(200);
    expect(await call(url())).toBe(refusal);
    expect(reached).toEqual([`${shopAddress}/`]);
    expect(answers).toBe(2);
  });

  it.each([
    ['A', [ownAddress]],
    ['A', ['10.0.0.1', '169.254.169.254', '192.168.0.1']],
    ['AAAA', ['::1']],
    ['AAAA', ['::ffff:7f00:1']],
    ['AAAA', ['fd00::1', '64:ff9b::7f00:1']],
  ] as const)('is refused if all its addresses are private: %s %j', async (only, addresses) => {
    zone = (_, type) => (type === only ? addresses : []);
    expect(await call(url())).toBe(refusal);
    expect(reached).toEqual([]);
  });

  it('is called only at its public addresses', async () => {
    zone = (_, type) => (type === 'A' ? [ownAddress, '10.0.0.1', shopAddress] : ['::1']);
    expect(await call(url())).toBe(200);
    expect(reached).toEqual([`${shopAddress}/`]);
  });

  it('fails alike if it is unknown, has no address or a private one, or never resolves', async () => {
    zone = (name, type) => {
      if (name === 'silent.test') return 'silent';
      if (name === 'empty.test' || type === 'AAAA') return [];
      return name === 'internal.test' ? [ownAddress] : undefined;
    };
    const hosts = ['missing.test', 'empty.test', 'internal.test', 'silent.test', 'localhost', 'printer'];
    for (const host of [...hosts, ownAddress])
      expect([host, await call(`http://${host}:${port}/`)]).toEqual([host, refusal]);
    expect(reached).toEqual([]);
  });

  it.each([
    ['shop.test.', 'A shop.test'],
    ['SHOP.test', 'A shop.test'],
    ['cửa-hàng.test', 'A xn--ca-hng-lta4562d.test'],
    ['ｓｈｏｐ.test', 'A shop.test'],
  ])('is resolved as the URL standard reads it: %s', async (host, query) => {
    zone = (_, type) => (type === 'A' ? [shopAddress] : []);
    expect(await call(`http://${host}:${port}/`)).toBe(200);
    expect(nameServer.queries).toContain(query);
  });

  it('is not confused with the user name in a URL', async () => {
    zone = (name, type) => (type === 'A' && name === 'shop.test' ? [shopAddress] : []);
    expect(await call(`http://${ownAddress}:80@shop.test:${port}/`)).toBe(200);
    expect(await call(`http://shop.test@${ownAddress}:${port}/`)).toBe(refusal);
    expect(reached).toEqual([`${shopAddress}/`]);
  });
});

it('a callback follows no redirect', async () => {
  expect(await call(`http://${shopAddress}:${port}/away`)).toBe(307);
  expect(reached).toEqual([`${shopAddress}/away`]);
});

it('a call to the bank follows no redirect', async () => {
  const bank = new SandboxAdapter({ url: `http://127.0.0.1:${port}/away`, secret: 's' });
  await expect(bank.cancelCollection('C1')).rejects.toThrow('did not answer');
  expect(reached).toEqual([expect.stringMatching(/^127\.0\.0\.1\/away/)]);
});
