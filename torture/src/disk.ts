import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { newFolder, openTestInstallation } from '@hengfu/server/testing/test-installation.ts';
import { faultsOfFullExports } from './disk-exports.ts';
import { Harness, programsOf } from './harness.ts';
import { faultsOfLoad } from './load-books.ts';
import { fill, freeSpace, mountMemory, obstacleToMounts, unmount } from './mounts.ts';
import { SteadyLoad } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** How long the database's disk stays full, for each time it is filled. */
  fullSeconds: readonly number[];
  clients: number;
  /** Payouts before each time the disk fills up, and after the last. */
  between: number;
}

const databaseKiB = 420_000;
const exportsKiB = 1024;
/** Payouts must be accepted again this soon after space is freed. */
const recoverWithinMs = 10_000;

/**
 * Fills the database's disk under load, then the disk of the exports. Pictures of top-ups are stored in the
 * database, so the first case covers them.
 */
export const disk = torture<Size>({
  title: 'full disks under load: the database’s and the exports’',
  short: { fullSeconds: [5], clients: 8, between: 80 },
  long: { fullSeconds: [5, 20, 2, 45, 10, 5, 30], clients: 24, between: 1500 },
  isForBuildServers: true,
  obstacle: obstacleToMounts,
  async run(size, random) {
    const folder = await newFolder();
    const mounts = [join(folder, 'postgres'), join(folder, 'data/exports')] as const;
    await mountMemory(mounts[0], databaseKiB);
    await mountMemory(mounts[1], exportsKiB);
    let harness: Harness | undefined;
    try {
      harness = await Harness.open(await openTestInstallation(folder));
      return await runLoad(harness, mounts, size, random);
    } finally {
      await harness?.close({ isKept: true });
      for (const mount of mounts) await unmount(mount);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
});

async function runLoad(
  harness: Harness,
  [database, exports]: readonly [string, string],
  { fullSeconds, clients, between }: Size,
  random: Random,
) {
  const { url, child } = await harness.startProduct('all');
  const programs = programsOf(harness.merchants, url);
  const load = new SteadyLoad({
    merchants: harness.merchants,
    clients,
    random,
    programOf: (merchant) => programs.get(merchant) as ShopProgram,
  });
  const faults: string[] = [];
  let slowestRecoveryMs = 0;
  for (const seconds of fullSeconds) {
    await load.waitForPayouts(between);
    await fill(database);
    await pause(seconds * 1000);
    await freeSpace(database);
    const freedAt = performance.now();
    await load.waitForPayouts(1);
    slowestRecoveryMs = Math.max(slowestRecoveryMs, performance.now() - freedAt);
  }
  await load.waitForPayouts(between);
  await load.stop();
  const refused = load.results['503 unavailable'] ?? 0;
  if (slowestRecoveryMs > recoverWithinMs)
    faults.push(`recovery took ${Math.round(slowestRecoveryMs)} ms after space was freed`);
  if (refused === 0) faults.push('no call was refused: the disk was never full');
  for (const [result, count] of Object.entries(load.results))
    if (result !== '201' && result !== '503 unavailable') faults.push(`${count} calls ended with ${result}`);
  if (child.exitCode !== null) faults.push(`the product has exited with ${child.exitCode}`);
  faults.push(
    ...(await faultsOfFullExports(harness, url, exports)),
    ...(await faultsOfLoad([load], harness)),
  );
  const counts = { 'times full': fullSeconds.length, 'payouts acknowledged': load.acknowledged.length };
  return {
    counts: {
      ...counts,
      'calls refused': refused,
      'ms of the slowest recovery': Math.round(slowestRecoveryMs),
    },
    faults,
  };
}
