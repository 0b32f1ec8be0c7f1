import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import {
  openTestInstallation,
  serve,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { addUser, signIn, userOf } from './console-session.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';
import { memoryMib } from './process-memory.ts';

const defaultStreams = 2000;
const merchantCount = 20;
/** A user may have about thirty streams. Streams are assigned round-robin to users, and so to merchants. */
const usersPerMerchant = 4;
/** Interval between a merchant's changes, long enough that no two are combined into one message. */
const intervalMs = 1000;
const rounds = 10;
const limitMs = 500;
const settleMs = 2000;
/** After this long without work, the process has returned what it needed before: it waits for twenty quiet seconds. */
const restMs = 40_000;
/** Of all streams together, with the sign-ins before. */
const limitMib = 40;

/** Result of the child process that reads the streams. */
export interface StreamsReport {
  /** Number of streams that were still open at the end. */
  open: number;
  /** Time of each message, in milliseconds since 1970, with the number of its stream. */
  arrivals: { stream: number; at: number }[];
}

interface Change {
  merchant: number;
  /** Just before the transaction starts, and so before its commit; in milliseconds since 1970. */
  at: number;
}

/**
 * Opens event streams on one process and measures how long after its commit a change arrives at each of them.
 * Times start before the transaction begins; a change that never arrives counts as infinite.
 */
export async function measureEvents(streams = defaultStreams): Promise<Figure[]> {
  const installation = await openTestInstallation();
  try {
    const merchants = await makeMerchants(installation.runtime, merchantCount);
    const users = Array.from({ length: usersPerMerchant }, (_, index) =>
      merchants.map(({ id, code }) => ({ id, user: userOf(`${code}-${index}`) })),
    ).flat();
    for (const { id, user } of users) await addUser(installation.runtime, id, user);
    const product = await serve(installation.ownerUrl, installation.folder);
    await pause(restMs);
    const restingMib = await memoryMib(product);
    const cookies: string[] = [];
    for (const { user } of users) cookies.push(await signIn(product.url, user));
    const child = fork(join(import.meta.dirname, 'events-child.ts'));
    const opened = nextMessage<{ ms: number }>(child);
    child.send({ url: product.url, cookies, streams });
    const { ms } = await opened;
    await pause(restMs);
    const streamsMib = (await memoryMib(product)) - restingMib;
    const changes = await makeChanges(installation, merchants);
    await pause(settleMs);
    const reported = nextMessage<StreamsReport>(child);
    child.send('stop');
    const report = await reported;
    child.disconnect();
    await product.stop();
    const delaysMs = delaysOf(changes, report, streams);
    return [
      atLeast('streams open to the end', report.open, '', streams),
      { name: 'until all were open', value: ms / 1000, unit: 's' },
      { name: 'memory at rest', value: restingMib, unit: 'MiB' },
      atMost('memory above rest, with the streams', streamsMib, 'MiB', limitMib),
      { name: 'changes, each sent to all streams of its merchant', value: changes.length, unit: '' },
      atMost(
        'changes that a stream missed',
        delaysMs.filter((delayMs) => delayMs === Infinity).length,
        '',
        0,
      ),
      { name: 'from commit to arrival, median', value: percentile(delaysMs, 0.5), unit: 'ms' },
      atMost('from commit to arrival, p95', percentile(delaysMs, 0.95), 'ms', limitMs),
      { name: 'from commit to arrival, slowest', value: percentile(delaysMs, 1), unit: 'ms' },
    ];
  } finally {
    await installation.close();
  }
}

/** Creates orders at a steady pace, one of each merchant per round. */
async function makeChanges(
  { runtime }: TestInstallation,
  merchants: readonly KeyedMerchant[],
): Promise<Change[]> {
  const changes: Change[] = [];
  const { collections } = runtime.services;
  for (let round = 0; round < rounds; round++) {
    for (const [merchant, { id: merchantId, code }] of merchants.entries()) {
      const home = { merchantId, code, name: code, currency: 'CNY', zone: 'Asia/Shanghai' } as const;
      changes.push({ merchant, at: performance.timeOrigin + performance.now() });
      await collections.create(home, { out_trade_no: `o-${round}`, amount: '10.00', currency: 'CNY' });
      await pause(intervalMs / merchants.length);
    }
  }
  return changes;
}

/** Milliseconds until each change arrived at each stream of its merchant; only the first arrival counts. */
function delaysOf(changes: readonly Change[], { arrivals }: StreamsReport, streams: number): number[] {
  const byStream = Map.groupBy(arrivals, ({ stream }) => stream);
  return changes.flatMap(({ merchant, at }) => {
    const next = changes.find((other) => other.merchant === merchant && other.at > at)?.at ?? Infinity;
    const own = Array.from({ length: streams }, (_, stream) => stream).filter(
      (stream) => stream % merchantCount === merchant,
    );
    return own.map((stream) => {
      const first = byStream.get(stream)?.find((arrival) => arrival.at >= at && arrival.at < next);
      return first ? first.at - at : Infinity;
    });
  });
}

/** Resolves with the next message of a child process; rejects if it exits first. */
async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const exited = once(child, 'exit').then(() => {
    throw new Error('the stream reader exited early; its error is above');
  });
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [T];
  return message;
}
