import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingProgram, needsRoot, type Obstacle } from '@hengfu/server/testing/obstacle.ts';
import { endProcess } from '@hengfu/server/testing/product-process.ts';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import {
  newFolder,
  openFastTestInstallation,
  openTestInstallation,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { faultsOfBooks } from './books.ts';
import { Harness, programsOf } from './harness.ts';
import { refusalOfSystem } from './mounts.ts';
import { Disk, kill } from './power-disk.ts';
import { type Acknowledged, SteadyLoad } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** Power cuts with a durable database; one more follows without fsync. */
  cuts: number;
  clients: number;
  /** Payouts before each cut. */
  before: number;
}

/**
 * Cuts the power under load: the database's file system loses what was not flushed, and is mounted again. All
 * that was acknowledged is there. Without fsync something must be lost, or the test could not detect a loss.
 */
export const power = torture<Size>({
  title: 'power cuts under load: all acknowledged payouts are on the disk',
  short: { cuts: 1, clients: 8, before: 150 },
  long: { cuts: 12, clients: 24, before: 1500 },
  isForBuildServers: true,
  obstacle,
  async run({ cuts, clients, before }, random) {
    const faults: string[] = [];
    const counts = { 'power cuts': 0, 'payouts acknowledged': 0, 'lost without fsync': 0 };
    for (let number = 0; number < cuts; number++) {
      const cut = await cutPower(openTestInstallation, clients, before, random);
      counts['power cuts']++;
      counts['payouts acknowledged'] += cut.acknowledged;
      for (const lost of cut.lost) faults.push(`${lost} was acknowledged, but is gone`);
      faults.push(...cut.faults);
    }
    const withoutFsync = await cutPower(
      (folder) => openFastTestInstallation(folder, {}),
      clients,
      before,
      random,
    );
    counts['lost without fsync'] = withoutFsync.lost.length;
    if (withoutFsync.lost.length === 0)
      faults.push('nothing was lost without fsync: the test would not detect a loss');
    return { counts, faults };
  },
});

/** Runs one power cut under load; `lost` has the order numbers that were acknowledged and did not survive. */
async function cutPower(
  open: (folder: string) => Promise<TestInstallation>,
  clients: number,
  before: number,
  random: Random,
): Promise<{ acknowledged: number; lost: string[]; faults: string[] }> {
  const folder = await newFolder();
  const disk = await Disk.make(join(folder, 'postgres'));
  let harness: Harness | undefined;
  try {
    harness = await Harness.open(await open(folder));
    await disk.flush();
    const { url, child } = await harness.startProduct('all');
    const programs = programsOf(harness.merchants, url);
    const load = new SteadyLoad({
      merchants: harness.merchants,
      clients,
      random,
      programOf: (merchant) => programs.get(merchant) as ShopProgram,
    });
    await load.waitForPayouts(before);
    const postmaster = await postmasterOf(folder);
    await disk.cutPower();
    kill(postmaster);
    await endProcess(child, 'SIGKILL');
    load.abandon();
    const acknowledged = [...load.acknowledged];
    const poweredOff = harness;
    harness = undefined;
    // Closing may fail, since the disk is off.
    await poweredOff.close({ isKept: true }).catch(() => undefined);
    await disk.remount();
    // The lock names this process. After a real reboot that process would not exist.
    await rm(join(folder, 'postgres/server.lock'), { force: true });
    return { acknowledged: acknowledged.length, ...(await checkSurvivors(open, folder, acknowledged)) };
  } finally {
    await harness?.close({ isKept: true }).catch(() => undefined);
    await disk.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
}

/** Recovers the database and finds the acknowledged payouts that are lost: all of them if it can't start. */
async function checkSurvivors(
  open: (folder: string) => Promise<TestInstallation>,
  folder: string,
  acknowledged: readonly Acknowledged[],
): Promise<{ lost: string[]; faults: string[] }> {
  let installation: TestInstallation;
  try {
    installation = await open(folder);
  } catch (error) {
    const lost = acknowledged.map(({ outTradeNo }) => outTradeNo);
    return { lost, faults: [`the database does not start after the power cut: ${error}`] };
  }
  try {
    const { database } = installation.runtime.services;
    const rows = await database.asSystem((tx) => tx.query.selectFrom('payout').select('trade_no').execute());
    const kept = new Set(rows.map((row) => row.trade_no));
    const lost = acknowledged.filter(({ tradeNo }) => !kept.has(tradeNo));
    return {
      lost: lost.map(({ outTradeNo }) => outTradeNo),
      faults: await faultsOfBooks(installation.ownerUrl, database),
    };
  } finally {
    await installation.close({ isKept: true });
  }
}

async function obstacle(): Promise<Obstacle | undefined> {
  const missing =
    needsRoot ??
    missingProgram('mount', 'mount') ??
    missingProgram('mkfs.ext4', 'e2fsprogs') ??
    missingProgram('python3', 'python3');
  if (missing) return missing;
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-power-'));
  try {
    const disk = await Disk.make(join(folder, 'disk'));
    try {
      await disk.cutPower();
    } finally {
      await disk.remove();
    }
    return undefined;
  } catch (error) {
    return refusalOfSystem(error);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
