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
import { Disk } from './power-disk.ts';
import { type Acknowledged, SteadyLoad } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** How often the power goes while everything is written through to the disk. */
  cuts: number;
  clients: number;
  /** Payouts before each. */
  before: number;
}

/**
 * The power goes under load: the file system of the database forgets what was not flushed, and is mounted again. What was
 * acknowledged is there; without fsync it must not be, or the test could not see it.
 */
export const power = torture<Size>({
  title: 'power cuts under load: what was acknowledged is on the disk',
  short: { cuts: 1, clients: 8, before: 150 },
  long: { cuts: 12, clients: 24, before: 1500 },
  obstacle,
  async run({ cuts, clients, before }, random) {
    const faults: string[] = [];
    const counts = { 'power cuts': 0, 'payouts acknowledged': 0, 'lost without fsync': 0 };
    for (let number = 0; number < cuts; number++) {
      const story = await cutPower(openTestInstallation, clients, before, random);
      counts['power cuts']++;
      counts['payouts acknowledged'] += story.acknowledged;
      for (const lost of story.lost) faults.push(`${lost} was acknowledged, and is gone`);
      faults.push(...story.faults);
    }
    const careless = await cutPower(
      (folder) => openFastTestInstallation(folder, {}),
      clients,
      before,
      random,
    );
    counts['lost without fsync'] = careless.lost.length;
    if (careless.lost.length === 0) faults.push('without fsync nothing was lost: this would not see a loss');
    return { counts, faults };
  },
});

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
    await load.goOn(before);
    const postmaster = await postmasterOf(folder);
    await disk.cutPower();
    kill(postmaster);
    await endProcess(child, 'SIGKILL');
    load.abandon();
    const acknowledged = [...load.acknowledged];
    const left = harness;
    harness = undefined;
    // What it can't put away any more is of no account: the machine is off.
    await left.close({ isKept: true }).catch(() => undefined);
    await disk.mountAgain();
    // The machine was started anew, and with it this process would have been another one.
    await rm(join(folder, 'postgres/server.lock'), { force: true });
    return { acknowledged: acknowledged.length, ...(await whatIsLeft(open, folder, acknowledged)) };
  } finally {
    await harness?.close({ isKept: true }).catch(() => undefined);
    await disk.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
}

/** It may have ended by itself, for want of its files. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The moment before it was there: nothing is left to do.
  }
}

/** What of the acknowledged is gone once the database has recovered: all, where it can't. */
async function whatIsLeft(
  open: (folder: string) => Promise<TestInstallation>,
  folder: string,
  acknowledged: readonly Acknowledged[],
): Promise<{ lost: string[]; faults: string[] }> {
  let installation: TestInstallation;
  try {
    installation = await open(folder);
  } catch (error) {
    const lost = acknowledged.map(({ outTradeNo }) => outTradeNo);
    return { lost, faults: [`the database does not start any more: ${error}`] };
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
