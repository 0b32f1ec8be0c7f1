import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@hengfu/server/testing/until.ts';
import { faultsOfOrders } from './failover/books-after.ts';
import { type ClusterFault, clusterFaults, type FaultName } from './failover/faults.ts';
import { Installation } from './failover/installation.ts';
import { obstacleToCluster } from './failover/obstacle.ts';
import { type PauseLimits, Pauses } from './failover/pauses.ts';
import { Screens } from './failover/screens.ts';
import { WriteGaps } from './failover/write-gaps.ts';
import { MixedLoad } from './mixed-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** How often each fault happens. */
  rounds: number;
  faults: readonly FaultName[];
  perSecond: number;
  /** Shortest and longest time of undisturbed load before each fault. */
  calmMs: readonly [number, number];
  /** How long writes may pause. */
  limits: PauseLimits;
}

const clients = 20;
/** A leader that is not replaced for this long does not come back: the run is over. */
const lostAfterMs = 90_000;
/** A machine that was away follows again this soon after its fault is over. */
const wholeWithinMs = 120_000;
/** After the first acknowledged write, others must follow. */
const steadyMs = 3000;

/**
 * PostgreSQL's leader is killed, stopped, cut off, runs out of disk or is replaced as planned, a standby and members of etcd
 * are killed, while merchants create payouts and collections, and a person reads, exports and watches. Everything that was
 * acknowledged exists once and matches the bank's records, and writes pause for seconds only.
 */
export const failover = torture<Size>({
  title: 'a cluster under Patroni whose leader fails in every way, under load',
  short: {
    rounds: 1,
    faults: ['leader killed', 'leader stopped', 'leader cut off', 'switchover'],
    perSecond: 20,
    calmMs: [1000, 3000],
    // A build server runs other tests beside it.
    limits: { medianMs: 45_000, longestMs: 90_000 },
  },
  long: {
    rounds: 3,
    faults: Object.keys(clusterFaults) as FaultName[],
    perSecond: 30,
    calmMs: [3000, 10_000],
    limits: { medianMs: 25_000, longestMs: 45_000 },
  },
  obstacle: obstacleToCluster,
  isForBuildServers: true,
  isAlone: true,
  async run(size, random) {
    const installation = await Installation.start();
    try {
      return await runLoad(installation, size, random);
    } finally {
      await installation.close();
    }
  },
});

async function runLoad(installation: Installation, size: Size, random: Random) {
  const { harness, front } = installation;
  const screens = await Screens.open(harness, front.webUrl);
  const { merchants } = harness;
  const load = new MixedLoad({ url: front.webUrl, merchants, clients, perSecond: size.perSecond, random });
  const gaps = new WriteGaps(() => load.payouts.size + load.collections.size);
  const running = load.run();
  const pauses = new Pauses(size.limits);
  const faults: string[] = [];
  try {
    for (const name of shuffled(size, random)) {
      await pause(random.between(...size.calmMs));
      pauses.add(name, await survive(name, installation, gaps, random));
      await screens.back(name);
    }
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  } finally {
    gaps.close();
    load.stop();
    await running;
  }
  await screens.close();
  faults.push(...pauses.faults, ...load.faults, ...screens.faults, ...installation.unexpectedExits);
  faults.push(...(await faultsOfOrders(installation, load)));
  const counts = {
    'payouts acknowledged': load.payouts.size,
    'collections acknowledged': load.collections.size,
    ...pauses.counts,
    'calls retried': load.retries,
    's for the slowest call': Math.round(load.slowestMs / 1000),
    'exports whole': [...screens.exports.values()].filter((status) => status === 'successful').length,
    'streams opened': screens.streams,
    'changes seen': screens.events,
  };
  return { counts, faults };
}

/** All faults of a run in random order. */
function shuffled({ rounds, faults }: Size, random: Random): FaultName[] {
  const left = Array.from({ length: rounds }, () => faults).flat();
  const order: FaultName[] = [];
  while (left.length > 0) order.push(...left.splice(random.between(0, left.length - 1), 1));
  return order;
}

/** Injects a fault, waits until writes go on, and heals it. Returns the longest pause of writes, in milliseconds. */
async function survive(
  name: FaultName,
  { cluster }: Installation,
  gaps: WriteGaps,
  random: Random,
): Promise<number> {
  const fault: ClusterFault = clusterFaults[name];
  const before = await cluster.leader();
  gaps.begin();
  const heal = await fault.inject(cluster, random);
  const injectedAt = performance.now();
  try {
    if (fault.movesLeader) {
      await until(
        () => cluster.leader().catch(() => undefined),
        (leader) => leader !== undefined && leader !== before,
        lostAfterMs,
      );
    }
    const movedAt = fault.movesLeader ? performance.now() : injectedAt;
    await until(
      async () => gaps.lastAt,
      (lastAt) => lastAt > movedAt && performance.now() - movedAt > steadyMs,
      lostAfterMs,
    );
  } finally {
    await heal();
  }
  await cluster.whole(wholeWithinMs);
  return gaps.longestMs;
}
