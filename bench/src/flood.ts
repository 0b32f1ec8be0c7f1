import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDemo, withFolder } from '@hengfu/server/testing/test-installation.ts';
import { Agent } from 'undici';
import { signIn } from './console-session.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';

const perSecond = 500;
const seconds = 15;
const warmUpSeconds = 3;
const pauseMs = 50;
/** Address from which the flood comes; other calls come from 127.0.0.1. */
const floodAddress = '127.0.0.2';
const demo = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };
const viewer = { ...demo, email: 'viewer@hengfu.test' };
const calls = ['/api/merchant/user', '/api/merchant/dashboard', '/api/merchant/collections?limit=20'];

/** Result of the child process that sends the flood. */
interface Flood {
  sent: number;
  seconds: number;
  statuses: Record<number, number>;
}

/** Measures how a flood of bad sign-ins affects other users, compared with the same duration before it. */
export async function measureFlood(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const product = await startDemo(folder);
    const sameAddress = new Agent({ localAddress: floodAddress });
    try {
      const cookie = await signIn(product.url, demo);
      const device = deviceCookieOf(await signIn(product.url, viewer, { dispatcher: sameAddress }));
      await readFor(product.url, cookie, warmUpSeconds);
      const before = await readFor(product.url, cookie, seconds);
      const stopHarmless = await start(product.url, { isHarmless: true });
      const harmless = await readFor(product.url, cookie, seconds);
      await stopHarmless();
      const stop = await start(product.url, { isHarmless: false });
      const meanwhile = readFor(product.url, cookie, seconds);
      await pause((seconds * 1000) / 2);
      const signInMs = await timed(() => signIn(product.url, demo));
      const knownMs = await timed(() =>
        signIn(product.url, viewer, { cookie: device, dispatcher: sameAddress }),
      );
      const during = await meanwhile;
      return figuresOf({ before, harmless, during, signInMs, knownMs, flood: await stop() });
    } finally {
      await sameAddress.close();
      await product.stop();
    }
  });
}

/** Starts a flood; the returned function stops it and returns its result. */
async function start(url: string, { isHarmless }: { isHarmless: boolean }): Promise<() => Promise<Flood>> {
  const child = fork(join(import.meta.dirname, 'flood-child.ts'));
  const started = once(child, 'message');
  child.send({ url, perSecond, address: floodAddress, isHarmless });
  await started;
  return async () => {
    const stopped = once(child, 'message');
    child.send('stop');
    const [flood] = (await stopped) as [Flood];
    child.kill();
    return flood;
  };
}

function figuresOf({
  before,
  harmless,
  during,
  signInMs,
  knownMs,
  flood,
}: {
  before: number[];
  /** During a flood of the cheapest calls from the same address, the effect of any flood on this machine. */
  harmless: number[];
  during: number[];
  signInMs: number;
  knownMs: number;
  flood: Flood;
}): Figure[] {
  const p95 = (samples: readonly number[]) => percentile(samples, 0.95);
  const half = Math.floor(before.length / 2);
  const [first, second] = [before.slice(0, half), before.slice(half)];
  const slowest = (samples: readonly number[]) => Math.max(...samples);
  return [
    atLeast('bad sign-ins a second, one address', flood.sent / flood.seconds, '/s', perSecond * 0.9),
    { name: 'wrong password (422)', value: flood.statuses[422] ?? 0, unit: '' },
    { name: 'rate-limited (429)', value: flood.statuses[429] ?? 0, unit: '' },
    { name: 'others’ calls before, median', value: percentile(before, 0.5), unit: 'ms' },
    { name: 'others’ calls before, p95', value: p95(before), unit: 'ms' },
    { name: 'others’ calls before, slowest', value: slowest(before), unit: 'ms' },
    { name: 'others’ calls meanwhile, median', value: percentile(during, 0.5), unit: 'ms' },
    { name: 'others’ calls meanwhile, p95', value: p95(during), unit: 'ms' },
    { name: 'others’ calls meanwhile, slowest', value: slowest(during), unit: 'ms' },
    {
      name: 'noise: p95 of the second half before, to the first',
      value: p95(second) / p95(first),
      unit: '×',
    },
    {
      name: 'noise: slowest of the second half before, to the first',
      value: slowest(second) / slowest(first),
      unit: '×',
    },
    {
      name: 'yardstick, as many /healthz calls: p95 to before',
      value: p95(harmless) / p95(before),
      unit: '×',
    },
    { name: 'yardstick: slowest to before', value: slowest(harmless) / slowest(before), unit: '×' },
    atMost('p95, meanwhile to before', p95(during) / p95(before), '×', 3),
    atMost('slowest, meanwhile to before', slowest(during) / slowest(before), '×', 10),
    atMost('another user’s sign-in during the flood', signInMs, 'ms', 500),
    atMost('a known browser’s sign-in from the same address', knownMs, 'ms', 500),
  ];
}

/** Returns the cookie that a browser keeps after signing out. */
function deviceCookieOf(cookies: string): string {
  return cookies.split('; ').find((cookie) => cookie.startsWith('hengfu_device=')) ?? '';
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Makes a user's calls sequentially for some seconds; returns their durations in milliseconds. */
async function readFor(url: string, cookie: string, forSeconds: number): Promise<number[]> {
  const samples: number[] = [];
  const endsAt = performance.now() + forSeconds * 1000;
  for (let index = 0; performance.now() < endsAt; index++) {
    const startedAt = performance.now();
    const reply = await fetch(url + calls[index % calls.length], { headers: { cookie } });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`a call was refused: ${reply.status}`);
    samples.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
  return samples;
}
