import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '@hengfu/sandbox/server';
import { startEmbedded } from '@hengfu/server/db/embedded/embedded.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { sandboxSecret } from '@hengfu/server/testing/test-database.ts';
import { newFolder, openServices, serve } from '@hengfu/server/testing/test-installation.ts';
import { faultsOfBooks } from './books.ts';
import { versionPair } from './previous-version.ts';
import { setUpShops } from './public-setup.ts';
import { type ShopReport, startShops } from './signed-shop.ts';
import { torture } from './torture.ts';

interface Size {
  /** Duration of each stage: the old version alone, both, the new one alone. */
  secondsEach: number;
  shops: number;
  /** Pause between two calls of one shop. */
  pauseMs: number;
}

const merchantCount = 2;
/** A fast bank. Results that it sends late, or to a process that is gone, are found by status queries. */
const timings = { delayedMs: 2000, lateAfterMs: 200, holdMs: 300, retryDelaysMs: [500] as [number] };
/** Limit for one reply, and for a series of 503 replies to one call. */
const maxWaitMs = 5000;
/** Payouts are queued: they count as stuck only if none becomes final for this long. */
const stuckSeconds = 60;

/**
 * Runs the previous version under a load of signed payouts and orders, starts this version beside it, which
 * migrates the database while both serve, and then stops the old one. Every acknowledged order exists once,
 * each payout becomes final, and no reply is worse than 503.
 */
export const upgrade = torture<Size>({
  title: 'the previous version and this one on one database, under load',
  short: { secondsEach: 1, shops: 3, pauseMs: 60 },
  long: { secondsEach: 30, shops: 8, pauseMs: 40 },
  isForBuildServers: true,
  async obstacle() {
    const versions = await versionPair();
    if ('kind' in versions) return versions;
    await versions.after.remove?.();
    return undefined;
  },
  async run({ secondsEach, ...pace }, random) {
    const versions = await versionPair();
    if ('kind' in versions) throw new Error(versions.reason);
    const { before: previous, after: next } = versions;
    const folder = await newFolder();
    const cluster = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {} });
    const secret = sandboxSecret;
    await mkdir(join(folder, 'sandbox'));
    const bank = await startSandbox({ dataDirectory: join(folder, 'sandbox'), secret, timings });
    const env = { SANDBOX_URL: bank.url };
    const start = (main?: string) => serve(cluster.ownerUrl, folder, env, main);
    const running: Awaited<ReturnType<typeof start>>[] = [];
    try {
      const before = await start(previous.main);
      running.push(before);
      const { ownerUrl } = cluster;
      const { url } = before;
      const { operatorMain } = previous;
      const merchants = await setUpShops({ ownerUrl, url, operatorMain }, merchantCount);
      let urls = [before.url];
      const stopShops = startShops({ urls: () => urls, merchants, random, ...pace });
      const stage = () => pause(secondsEach * 1000);
      await stage();
      const migrationsBefore = await countMigrations(cluster.ownerUrl);
      const after = await start(next.main);
      running.push(after);
      const added = next.migrations.filter((name) => !previous.migrations.includes(name));
      const ran = (await countMigrations(cluster.ownerUrl)) - migrationsBefore;
      urls = [before.url, after.url];
      await stage();
      urls = [after.url];
      await before.stop();
      await stage();
      const report = await stopShops();
      const runtime = await openServices(cluster.ownerUrl, folder);
      const faults = [
        ...report.faults,
        ...(ran === added.length ? [] : [`${ran} migrations ran, not the ${added.length} new ones`]),
        ...(before.process.exitCode === 0 ? [] : [`the old version exited with ${before.process.exitCode}`]),
        ...(report.slowestMs > maxWaitMs ? [`a reply took ${Math.round(report.slowestMs)} ms`] : []),
        ...(report.longestUnavailableMs > maxWaitMs
          ? [`503 for ${Math.round(report.longestUnavailableMs)} ms`]
          : []),
        ...(await faultsOfOrders(cluster.ownerUrl, report)),
        ...(await faultsOfBooks(cluster.ownerUrl, runtime.services.database)),
      ];
      await runtime.close();
      const counts = {
        'as the old version': previous.version,
        'as the new version': next.version,
        'migrations under load': ran,
      };
      return { counts: { ...counts, ...countsOf(report) }, faults };
    } finally {
      for (const each of running) await each.stop();
      await bank.close();
      await cluster.stop();
      await next.remove?.();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
});

async function countMigrations(ownerUrl: string): Promise<number> {
  return asOwner(
    ownerUrl,
    async (client) => (await client.query('select from schema_migration')).rowCount ?? 0,
  );
}

function countsOf(report: ShopReport) {
  return {
    'payouts acknowledged': report.payouts.length,
    'orders acknowledged': report.collections.length,
    '503 replies': report.unavailable,
    'ms of the slowest reply': Math.round(report.slowestMs),
  };
}

/** Finds acknowledged orders that do not exist exactly once, and payouts that do not become final. */
async function faultsOfOrders(ownerUrl: string, report: ShopReport): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    const faults: string[] = [];
    const describe = async (fault: string, text: string, values: unknown[] = []) => {
      await client.query(
        'begin; alter table payout no force row level security; alter table collection no force row level security',
      );
      const { rows } = await client.query<{ no: string }>(text, values);
      await client.query('rollback');
      return rows.map(({ no }) => `${no} ${fault}`);
    };
    for (const [kind, numbers] of [
      ['payout', report.payouts],
      ['collection', report.collections],
    ] as const)
      faults.push(
        ...(await describe(
          'was acknowledged but does not exist exactly once',
          `select number as no from unnest($1::text[]) number
            where (select count(*) from ${kind} where out_trade_no = number) <> 1`,
          [numbers],
        )),
      );
    const unfinished = () =>
      describe(
        'is not final',
        `select trade_no as no from payout where status not in ('processed', 'rejected')`,
      );
    let left = await unfinished();
    for (let fewest = left.length, since = Date.now(); left.length > 0; ) {
      if (Date.now() - since > stuckSeconds * 1000) break;
      await pause(500);
      left = await unfinished();
      if (left.length >= fewest) continue;
      fewest = left.length;
      since = Date.now();
    }
    return [...faults, ...left];
  });
}
