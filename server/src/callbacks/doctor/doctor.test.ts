import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { CheckStep } from '@hengfu/contract/callback-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, type TestCertificate } from '../../testing/certificates.ts';
import { isSignedBy } from '../../testing/endpoint-server.ts';
import { NameServer } from '../../testing/name-server.ts';
import { openHttp } from '../request.ts';
import { publicTargets, type TargetPolicy } from '../target.ts';
import { examine } from './doctor.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
/** On loopback, because no test may call the internet; the policy of the tests allows it beside public addresses. */
const shopAddress = '127.0.0.2';
const dayMs = 86_400_000;

const servers: Server[] = [];
let nameServer: NameServer;
let targets: TargetPolicy;
const usualAuthorities = getCACertificates('default');
const root = makeCertificate({ name: 'Root', isAuthority: true });
const intermediate = makeCertificate({ name: 'Intermediate', issuer: root, isAuthority: true });

beforeAll(async () => {
  setDefaultCACertificates([...usualAuthorities, root.pem]);
  nameServer = new NameServer((name, type) => {
    if (name === 'silent.test') return 'silent';
    if (type === 'AAAA') return [];
    if (name === 'internal.test') return ['10.0.0.1'];
    return name === 'missing.test' ? undefined : [shopAddress];
  });
  targets = {
    ...publicTargets([await nameServer.listen()]),
    isAllowed: (address) => address === shopAddress,
  };
});
afterAll(() => {
  setDefaultCACertificates(usualAuthorities);
  for (const server of servers) server.close();
  nameServer.close();
});

async function listen(server: Server, host = shopAddress): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const plain = async (listener: RequestListener) =>
  `http://shop.test:${await listen(createServer(listener))}/hook`;
const secure = async (options: ServerOptions, listener: RequestListener = verified) =>
  `https://shop.test:${await listen(createSecureServer(options, listener))}/hook`;
const served = ({ pem, key }: TestCertificate, ...chain: TestCertificate[]): ServerOptions => ({
  cert: [pem, ...chain.map((each) => each.pem)].join(''),
  key: key.export({ type: 'pkcs8', format: 'pem' }),
});

/** A server that verifies signatures, as it should, and accepts those that are right with a reply. */
const verifiedWith =
  (reply: Buffer | string): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const isRight = isSignedBy({ headers: request.headers as Record<string, string>, body }, secret);
      response.writeHead(isRight ? 200 : 401).end(isRight ? reply : '');
    });
  };
const verified = verifiedWith('');
const answering =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  };

/** Examines a URL; returns the verdict, and each step with what it found. */
async function check(url: string) {
  const steps: CheckStep[] = [];
  const http = await openHttp(targets);
  const verdict = await examine(
    { url, secrets: [secret] },
    { http, targets, onStep: async (step) => void steps.push(step) },
  );
  await http.dispatcher.destroy();
  return { verdict, steps, found: steps.map(({ step, finding }) => [step, finding]) };
}

describe('the check of an endpoint', () => {
  it('finds nothing wrong with a server that verifies signatures', async () => {
    const leaf = makeCertificate({ name: 'shop.test', issuer: intermediate });
    const { verdict, found, steps } = await check(await secure(served(leaf, intermediate)));
    expect(found).toEqual(
      ['name', 'connect', 'tls', 'message', 'signature', 'clock'].map((step) => [step, null]),
    );
    expect(verdict).toBe('good');
    expect(steps.map(({ httpStatus }) => httpStatus)).toEqual([null, null, null, 200, 401, null]);
    expect(Math.abs(steps.at(-1)?.offsetSeconds ?? 99)).toBeLessThan(5);
  });

  it.each(['missing', 'internal', 'silent'])(
    'says the same of a name that is unknown, private or silent, and reveals no duration: %s',
    async (name) => {
      const { verdict, steps } = await check(`https://${name}.test/`);
      expect(verdict).toBe('notPublic');
      expect(steps).toEqual([
        { step: 'name', finding: 'notPublic', durationMs: 0, httpStatus: null, offsetSeconds: null },
      ]);
    },
  );

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://169.254.169.254/',
    'http://0x7f.1/',
    'https://10.0.0.1/',
  ])('connects to no address of our own: %s', async (url) => {
    expect((await check(url)).found).toEqual([['name', 'notPublic']]);
  });

  it('finds that nobody listens', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect((await check(`http://shop.test:${port}/`)).found).toEqual([
      ['name', null],
      ['connect', 'refused'],
    ]);
  });

  it.each([
    [
      'certificateExpired',
      { validFrom: new Date(Date.now() - 9 * dayMs), validTo: new Date(Date.now() - dayMs) },
    ],
    [
      'certificateNotYetValid',
      { validFrom: new Date(Date.now() + dayMs), validTo: new Date(Date.now() + 9 * dayMs) },
    ],
    ['certificateName', { name: 'other.test' }],
  ])('finds %s', async (finding, facts) => {
    const leaf = makeCertificate({ name: 'shop.test', issuer: root, ...facts });
    const { verdict, found } = await check(await secure(served(leaf)));
    expect([verdict, found.at(-1)]).toEqual([finding, ['tls', finding]]);
  });

  it('finds an incomplete chain, a certificate that signed itself, and one of an unknown authority', async () => {
    const leaf = makeCertificate({ name: 'shop.test', issuer: intermediate });
    expect((await check(await secure(served(leaf)))).verdict).toBe('certificateChain');
    const own = makeCertificate({ name: 'shop.test' });
    expect((await check(await secure(served(own)))).verdict).toBe('certificateSelfSigned');
    const unknown = makeCertificate({ name: 'Unknown', isAuthority: true });
    const foreign = makeCertificate({ name: 'shop.test', issuer: unknown });
    expect((await check(await secure(served(foreign, unknown)))).verdict).toBe('certificateUntrusted');
  });

  it('finds a server without TLS, and one that does not speak HTTP', async () => {
    const port = Number(new URL(await plain(answering(200))).port);
    expect((await check(`https://shop.test:${port}/`)).verdict).toBe('tlsFailed');
    const ssh = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.9\r\n'));
    expect((await check(`http://shop.test:${await listen(ssh)}/`)).verdict).toBe('noHttp');
  });

  it('finds a server that hangs up, and one that never answers', async () => {
    expect((await check(await plain((request) => request.socket.destroy()))).verdict).toBe('hungUp');
    const startedAtMs = performance.now();
    expect((await check(await plain(() => {}))).verdict).toBe('answerTimeout');
    expect(performance.now() - startedAtMs).toBeLessThan(30_000);
  }, 40_000);

  it.each([
    [answering(307, { location: 'http://127.0.0.1/' }), 'redirect'],
    [answering(404), 'wrongStatus'],
    [answering(500), 'wrongStatus'],
    [answering(401), 'signatureRefused'],
    [answering(200, {}, Buffer.alloc(300_000, 'x')), 'wrongSignatureAccepted'],
    [answering(200), 'wrongSignatureAccepted'],
  ])('judges the answer', async (listener, verdict) => {
    const result = await check(await plain(listener));
    expect(result.found.some(([, finding]) => finding === verdict)).toBe(true);
  });

  it.each([answering(500), answering(401), answering(302)])(
    'does not judge the signatures of a server that refuses everything',
    async (listener) => {
      const { found, steps } = await check(await plain(listener));
      expect(found.map(([step]) => step)).toEqual(['name', 'connect', 'message', 'clock']);
      expect(steps.find(({ step }) => step === 'message')?.finding).not.toBeNull();
    },
  );

  it('finds a reply that is too large', async () => {
    const big = verifiedWith(Buffer.alloc(300_000, 'x'));
    expect((await check(await plain(big))).verdict).toBe('replyTooLarge');
  });

  it('blames a wrong clock for refused signatures', async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    const { verdict, steps } = await check(await plain(answering(401, { date })));
    expect(verdict).toBe('clockWrong');
    expect(Math.abs((steps.at(-1)?.offsetSeconds ?? 0) + 3600)).toBeLessThan(10);
    expect((await check(await plain(answering(401, { date: 'yesterday' })))).verdict).toBe(
      'signatureRefused',
    );
  });
});
