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
import { type Met, openShops } from './signed-shop.ts';
import { torture } from './torture.ts';

interface Size {
  /** Of each harness: the old version alone, both, the new one alone. */
  secondsEach: number;
  shops: number;
  /** Between two calls of one shop. */
  pauseMs: number;
}

const merchantCount = 2;
/** A bank in a hurry: what it says late, or to the process that is gone by then, is asked for. */
const timings = { delayedMs: 2000, lateAfterMs: 200, holdMs: 300, retryDelaysMs: [500] as [number] };
/** What a shop may wait for one answer, and how long it may be told to come back. */
const mostMs = 5000;
/** Payouts wait their turn; none of them coming to its end for so long means that they are stuck. */
const stuckSeconds = 60;

/**
 * The version before runs under a load of signed payouts and orders; this one is started beside it, migrates the
 * database under it, and both serve; then the old one is taken out and ended. Every order that was acknowledged is there
 * once, each payout comes to its end, and nobody is told anything worse than to come back.
 */
export const upgrade = torture<Size>({
  title: 'the version before and this one over one database, under load',
  short: { secondsEach: 1, shops: 3, pauseMs: 60 },
  long: { secondsEach: 30, shops: 8, pauseMs: 40 },
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
    const place = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {} });
    const secret = sandboxSecret;
    await mkdir(join(folder, 'sandbox'));
    const bank = await startSandbox({ dataDirectory: join(folder, 'sandbox'), secret, timings });
    const env = { SANDBOX_URL: bank.url };
    const start = (main?: string) => serve(place.ownerUrl, folder, env, main);
    const running: Awaited<ReturnType<typeof start>>[] = [];
    try {
      const before = await start(previous.main);
      running.push(before);
      const { ownerUrl } = place;
      const { url } = before;
      const { operatorMain } = previous;
      const merchants = await setUpShops({ ownerUrl, url, operatorMain }, merchantCount);
      let urls = [before.url];
      const close = openShops({ urls: () => urls, merchants, random, ...pace });
      const harness = () => pause(secondsEach * 1000);
      await harness();
      const known = await countMigrations(place.ownerUrl);
      const after = await start(next.main);
      running.push(after);
      const isNew = next.migrations.filter((name) => !previous.migrations.includes(name));
      const ran = (await countMigrations(place.ownerUrl)) - known;
      urls = [before.url, after.url];
      await harness();
      urls = [after.url];
      await before.stop();
      await harness();
      const met = await close();
      const runtime = await openServices(place.ownerUrl, folder);
      const faults = [
        ...met.faults,
        ...(ran === isNew.length ? [] : [`${ran} migrations ran, not the ${isNew.length} new ones`]),
        ...(before.process.exitCode === 0 ? [] : [`the old version ended with ${before.process.exitCode}`]),
        ...(met.slowestMs > mostMs ? [`an answer took ${Math.round(met.slowestMs)} ms`] : []),
        ...(met.longestAwayMs > mostMs ? [`503 for ${Math.round(met.longestAwayMs)} ms`] : []),
        ...(await faultsOfOrders(place.ownerUrl, met)),
        ...(await faultsOfBooks(place.ownerUrl, runtime.services.database)),
      ];
      await runtime.close();
      const counts = {
        'the version before': previous.version,
        'the version after': next.version,
        'migrations under load': ran,
      };
      return { counts: { ...counts, ...countsOf(met) }, faults };
    } finally {
      for (const each of running) await each.stop();
      await bank.close();
      await place.stop();
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

function countsOf(met: Met) {
  return {
    'payouts acknowledged': met.payouts.length,
    'orders acknowledged': met.collections.length,
    'answers of 503': met.away,
    'ms of the slowest answer': Math.round(met.slowestMs),
  };
}

/** Orders that are not there once, and payouts that come to no end. */
async function faultsOfOrders(ownerUrl: string, met: Met): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    const faults: string[] = [];
    const tell = async (told: string, text: string, values: unknown[] = []) => {
      await client.query(
        'begin; alter table payout no force row level security; alter table collection no force row level security',
      );
      const { rows } = await client.query<{ no: string }>(text, values);
      await client.query('rollback');
      return rows.map(({ no }) => `${no} ${told}`);
    };
    for (const [kind, numbers] of [
      ['payout', met.payouts],
      ['collection', met.collections],
    ] as const)
      faults.push(
        ...(await tell(
          'was acknowledged and is not there once',
          `select number as no from unnest($1::text[]) number
            where (select count(*) from ${kind} where out_trade_no = number) <> 1`,
          [numbers],
        )),
      );
    const unfinished = () =>
      tell(
        'has come to no end',
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
