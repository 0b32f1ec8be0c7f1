import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDemo, withFolder } from '@hengfu/server/testing/bed.ts';
import { signIn } from './console-session.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';

const perSecond = 500;
const seconds = 15;
const pauseMs = 50;
const demo = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };
const calls = ['/api/merchant/user', '/api/merchant/dashboard', '/api/merchant/collections?limit=20'];

/** What other users notice of a flood of bad sign-ins. */
export async function measureFlood(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const product = await startDemo(folder);
    try {
      const cookie = await signIn(product.url, demo);
      const quiet = await readFor(product.url, cookie, seconds / 3);
      const child = fork(join(import.meta.dirname, 'flood-child.ts'));
      child.send({ url: product.url, perSecond });
      await pause(1000);
      const signInMs = await timed(() => signIn(product.url, demo));
      const flooded = await readFor(product.url, cookie, seconds);
      const told = once(child, 'message');
      child.send('stop');
      const [result] = (await told) as [{ sent: number; seconds: number; statuses: Record<number, number> }];
      child.kill();
      return [
        atLeast('bad sign-ins a second', result.sent / result.seconds, '/s', perSecond * 0.9),
        { name: 'judged (422)', value: result.statuses[422] ?? 0, unit: '' },
        { name: 'turned away (429)', value: result.statuses[429] ?? 0, unit: '' },
        { name: 'others’ calls before, p95', value: percentile(quiet, 0.95), unit: 'ms' },
        { name: 'others’ calls meanwhile, median', value: percentile(flooded, 0.5), unit: 'ms' },
        { name: 'others’ calls meanwhile, p95', value: percentile(flooded, 0.95), unit: 'ms' },
        atMost('others’ calls meanwhile, slowest', Math.max(...flooded), 'ms', 500),
        atMost('somebody else’s sign-in meanwhile', signInMs, 'ms', 500),
      ];
    } finally {
      await product.stop();
    }
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds that somebody's calls take, one after the other, for some seconds. */
async function readFor(url: string, cookie: string, forSeconds: number): Promise<number[]> {
  const samples: number[] = [];
  const endsAt = performance.now() + forSeconds * 1000;
  for (let index = 0; performance.now() < endsAt; index++) {
    const startedAt = performance.now();
    const answer = await fetch(url + calls[index % calls.length], { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`a call was refused: ${answer.status}`);
    samples.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
  return samples;
}
