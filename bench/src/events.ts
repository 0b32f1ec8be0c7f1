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
import { addPerson, personOf, signIn } from './console-session.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';

const defaultStreams = 2000;
const merchantCount = 20;
/** A person may have some thirty open at once; the nth stream is the nth person's, who are merchant by merchant. */
const peoplePerMerchant = 4;
/** Each merchant's changes lie so far apart that none is told of together with another one. */
const everyMs = 1000;
const rounds = 10;
const limitMs = 500;
const settleMs = 2000;

/** What a process with open streams saw. */
export interface StreamsReport {
  /** Streams that were open to the end. */
  open: number;
  /** When each message arrived, in milliseconds since 1970, by stream. */
  arrivals: { stream: number; at: number }[];
}

interface Change {
  merchant: number;
  /** Just before the transaction is sent: not later than its commit. */
  at: number;
}

/**
 * Open event streams on one process, and how long after its commit a change arrives at each of them. Counted from before
 * the transaction begins; what never arrives counts as endless.
 */
export async function measureEvents(streams = defaultStreams): Promise<Figure[]> {
  const installation = await openTestInstallation();
  try {
    const merchants = await makeMerchants(installation.runtime, merchantCount);
    const people = Array.from({ length: peoplePerMerchant }, (_, index) =>
      merchants.map(({ id, code }) => ({ id, person: personOf(`${code}-${index}`) })),
    ).flat();
    for (const { id, person } of people) await addPerson(installation.runtime, id, person);
    const product = await serve(installation.ownerUrl, installation.folder);
    const cookies: string[] = [];
    for (const { person } of people) cookies.push(await signIn(product.url, person));
    const child = fork(join(import.meta.dirname, 'events-child.ts'));
    const opened = told<{ ms: number }>(child);
    child.send({ url: product.url, cookies, streams });
    const { ms } = await opened;
    await pause(settleMs);
    const changes = await change(installation, merchants);
    await pause(settleMs);
    const reported = told<StreamsReport>(child);
    child.send('stop');
    const report = await reported;
    child.disconnect();
    await product.stop();
    const waits = waitsOf(changes, report, streams);
    return [
      atLeast('streams open to the end', report.open, '', streams),
      { name: 'until all were open', value: ms / 1000, unit: 's' },
      { name: 'changes, each told to all streams of its merchant', value: changes.length, unit: '' },
      atMost(
        'changes that a stream did not hear of',
        waits.filter((wait) => wait === Infinity).length,
        '',
        0,
      ),
      { name: 'from commit to arrival, median', value: percentile(waits, 0.5), unit: 'ms' },
      atMost('from commit to arrival, p95', percentile(waits, 0.95), 'ms', limitMs),
      { name: 'from commit to arrival, slowest', value: percentile(waits, 1), unit: 'ms' },
    ];
  } finally {
    await installation.close();
  }
}

/** Makes an order of each merchant in turn, evenly over time. */
async function change({ runtime }: TestInstallation, merchants: readonly KeyedMerchant[]): Promise<Change[]> {
  const changes: Change[] = [];
  const { collections } = runtime.services;
  for (let round = 0; round < rounds; round++) {
    for (const [merchant, { id: merchantId, code }] of merchants.entries()) {
      const home = { merchantId, code, name: code, currency: 'CNY', zone: 'Asia/Shanghai' } as const;
      changes.push({ merchant, at: performance.timeOrigin + performance.now() });
      await collections.create(home, { out_trade_no: `o-${round}`, amount: '10.00', currency: 'CNY' });
      await pause(everyMs / merchants.length);
    }
  }
  return changes;
}

/** Milliseconds until each stream of a change's merchant heard of it; none twice. */
function waitsOf(changes: readonly Change[], { arrivals }: StreamsReport, streams: number): number[] {
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

/** The next message of a child process; rejects where it ends instead. */
async function told<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the streams ended early: the message is above');
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return message;
}
