import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { refreshStatistics } from '@hengfu/server/db/owner.ts';
import { makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import {
  openTestInstallation,
  type Served,
  serve,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { countLoggedCalls } from './count.sql.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';
import { withProcessorTime } from './processor-time.ts';
import { runLoad } from './signed-load.ts';

const merchantCount = 100;
const clients = 32;
/** Turns of two servers. Then two others take their place, the other one of which starts first. */
const turns = 4;
const warmSeconds = 4;
const turnSeconds = 6;
const maxPerSecond = 4000;
/** Time for the last calls of a turn to be written, so that their cost is counted. */
const flushMs = 2600;
/** The log may cost a create so much of its rate and its processor time. */
const maxShare = 0.05;
/** The creates that it must keep. */
const minKept = 0.999;

/** Creates of one turn, in all and per second, and the processor time of one create in microseconds. */
interface Turn {
  answered: number;
  perSecond: number;
  processorUs: number;
  /** The same by process: PostgreSQL's and Node's, of their own code and of the kernel. */
  parts: readonly Figure[];
}

/** Two turns, one after the other. */
interface Pair {
  on: Turn;
  off: Turn;
  /** Whether the server with the log was started before the other one. */
  isOnOlder: boolean;
}

/**
 * Measures signed creates at two servers of one installation in turns: one keeps the request log, the other one does not. The server that starts
 * first takes up to a sixth more processor time, even if neither keeps the log; so each of them starts first once.
 */
export async function measureRequestLog(): Promise<Figure[]> {
  const installation = await openTestInstallation();
  try {
    const merchants = await makeMerchants(installation.runtime, merchantCount);
    const { ownerUrl, folder, runtime } = installation;
    const load = new TurnLoad(
      installation,
      merchants.map(({ key }) => key),
    );
    const { database } = runtime.services;
    let loggedWarm = 0;
    const pairs: Pair[] = [];
    for (const isOnOlder of [true, false]) {
      const start = (isOn: boolean) => serve(ownerUrl, folder, { REQUEST_LOG: isOn ? '1' : '0' });
      const older = await start(isOnOlder);
      const newer = await start(!isOnOlder);
      const [on, off] = isOnOlder ? [older, newer] : [newer, older];
      const before = await countLoggedCalls(database);
      for (const server of [older, newer]) await load.take(server, warmSeconds);
      await refreshStatistics(ownerUrl);
      loggedWarm += (await countLoggedCalls(database)) - before;
      for (let turn = 0; turn < turns; turn++)
        pairs.push({ ...(await load.takePair(on, off, turn % 2 === 0)), isOnOlder });
      await Promise.all([on.stop(), off.stop()]);
    }
    const made = pairs.reduce((sum, { on: { answered } }) => sum + answered, 0);
    const logged = (await countLoggedCalls(database)) - loggedWarm;
    return [...figuresOf(pairs), atLeast('share of the creates in the log', logged / made, '', minKept)];
  } finally {
    await installation.close();
  }
}

/** Runs turns of the same load. No two use the same order numbers. */
class TurnLoad {
  readonly #clusterFolder: string;
  readonly #keys: readonly { id: string; secret: string }[];
  #first = 0;

  constructor({ folder }: TestInstallation, keys: readonly { id: string; secret: string }[]) {
    this.#clusterFolder = join(folder, 'postgres/cluster');
    this.#keys = keys;
  }

  /** Measures both servers; each comes first as often as the other. */
  async takePair(on: Served, off: Served, isOnFirst: boolean): Promise<Omit<Pair, 'isOnOlder'>> {
    if (isOnFirst) return { on: await this.take(on), off: await this.take(off) };
    const plain = await this.take(off);
    return { on: await this.take(on), off: plain };
  }

  async take({ url, process }: Served, seconds = turnSeconds): Promise<Turn> {
    const requests = seconds * maxPerSecond;
    const first = this.#first;
    this.#first += requests;
    const { result, figures } = await withProcessorTime(
      { serverPid: process.pid ?? 0, clusterFolder: this.#clusterFolder },
      async () => {
        const done = await runLoad({
          url,
          call: 'collections',
          keys: this.#keys,
          clients,
          seconds,
          requests,
          first,
        });
        await pause(flushMs);
        return done;
      },
      ({ answered }) => answered,
    );
    const processorUs = figures.reduce((sum, { value }) => sum + value, 0);
    return {
      answered: result.answered,
      perSecond: result.answered / result.seconds,
      processorUs,
      parts: figures,
    };
  }
}

function figuresOf(pairs: readonly Pair[]): Figure[] {
  const median = (of: (pair: Pair) => number) => percentile(pairs.map(of), 0.5);
  const name = 'creates without the log';
  const rates = { name, values: pairs.map(({ off }) => off.perSecond), unit: '/s' };
  const costs = { name, values: pairs.map(({ off }) => off.processorUs), unit: 'µs' };
  const rate = ratio(pairs, ({ on, off }) => on.perSecond / off.perSecond);
  const cost = ratio(pairs, ({ on, off }) => on.processorUs / off.processorUs);
  return [
    { name, value: median(({ off }) => off.perSecond), unit: '/s' },
    { name: 'creates with the log', value: median(({ on }) => on.perSecond), unit: '/s' },
    {
      name: 'processor time of a create without the log',
      value: median(({ off }) => off.processorUs),
      unit: 'µs',
    },
    {
      name: 'processor time of a create with the log',
      value: median(({ on }) => on.processorUs),
      unit: 'µs',
    },
    ...partsOf(pairs),
    atLeast('rate with the log, of that without', rate, '×', 1 - maxShare, rates),
    atMost('processor time with the log, of that without', cost, '×', 1 + maxShare, costs),
  ];
}

/** Returns the geometric mean of a ratio's medians with either server started first, in which the advantage of the other one cancels out. */
function ratio(pairs: readonly Pair[], of: (pair: Pair) => number): number {
  const [older, newer] = [true, false].map((isOnOlder) =>
    percentile(pairs.filter((pair) => pair.isOnOlder === isOnOlder).map(of), 0.5),
  ) as [number, number];
  return Math.sqrt(older * newer);
}

/** Returns the processor time that the log adds to a create, by process. */
function partsOf(pairs: readonly Pair[]): Figure[] {
  const [first] = pairs;
  return (first?.on.parts ?? []).map(({ name, unit }, index) => {
    const added = pairs.map(({ on, off }) => (on.parts[index]?.value ?? 0) - (off.parts[index]?.value ?? 0));
    return { name: `added by the log: ${name}`, value: percentile(added, 0.5), unit: unit ?? 'µs' };
  });
}
