import { execFile } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Obstacle } from '@hengfu/server/testing/obstacle.ts';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { ConsoleUser } from './clock-console.ts';
import { Harness, programsOf } from './harness.ts';
import { faultsOfLoad } from './load-books.ts';
import { SteadyLoad } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** Offsets that the server's clock takes in turn; at the end it is right again. */
  skewsSeconds: readonly number[];
  clients: number;
  /** Payouts after each jump. */
  between: number;
}

const hour = 3600;
const clocks = { FAKETIME_CACHE_DURATION: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
/** By then libfaketime has read the new offset from its file. */
const jumpMs = 2500;

/**
 * The server's clock is two hours off and jumps while it runs; the database's clock is right. Only the
 * difference between them matters: when the shop follows the server's clock, it is the database that is two
 * hours off.
 */
export const clock = torture<Size>({
  title: 'the server’s clock two hours off, jumping while it runs; the database’s is right',
  short: { skewsSeconds: [2 * hour, -2 * hour], clients: 4, between: 20 },
  long: {
    skewsSeconds: [2 * hour, -2 * hour, 0, -2 * hour, 2 * hour, 26 * hour, 0, 400, -400],
    clients: 8,
    between: 400,
  },
  isForBuildServers: true,
  obstacle,
  async run({ skewsSeconds, clients, between }, random) {
    const harness = await Harness.open();
    try {
      const file = join(harness.installation.folder, 'clock');
      const setClock = (skewSeconds: number) =>
        writeFileSync(file, `${skewSeconds < 0 ? '' : '+'}${skewSeconds}`);
      setClock(0);
      const { url } = await harness.startProduct('all', {
        ...clocks,
        LD_PRELOAD: library(),
        FAKETIME_TIMESTAMP_FILE: file,
      });
      const shopSkew = { seconds: 0 };
      const load = startLoad(harness, url, { clients, random, shopSkew });
      const user = await ConsoleUser.open(harness, url);
      const faults: string[] = [];
      await load.waitForPayouts(between);
      const expiry = user.faultsOfExpiry(await user.createExpiring(), () => shopSkew.seconds);
      const wrongSince = performance.now();
      for (const skewSeconds of skewsSeconds) {
        setClock(skewSeconds);
        await pause(jumpMs);
        faults.push(...(await faultsOfSigning(harness, url, skewSeconds)));
        // A shop whose clock agrees with the server's is served.
        shopSkew.seconds = skewSeconds;
        await load.waitForPayouts(between);
        faults.push(...(await user.faultsOfSignIn(skewSeconds)));
      }
      setClock(0);
      shopSkew.seconds = 0;
      await pause(jumpMs);
      const wrongMs = performance.now() - wrongSince;
      await load.waitForPayouts(between);
      await load.stop();
      faults.push(...(await expiry));
      faults.push(...(await user.faultsOfFigures()), ...(await faultsOfTimes(harness)));
      faults.push(...(await faultsOfLoad([load], harness, wrongMs)));
      const refused = load.results['401 signature_expired'] ?? 0;
      const counts = { jumps: skewsSeconds.length + 1, 'payouts acknowledged': load.acknowledged.length };
      return { counts: { ...counts, 'calls refused as expired': refused }, faults };
    } finally {
      await harness.close();
    }
  },
});

function startLoad(
  harness: Harness,
  url: string,
  { clients, random, shopSkew }: { clients: number; random: Random; shopSkew: { seconds: number } },
): SteadyLoad {
  const programs = programsOf(harness.merchants, url);
  return new SteadyLoad({
    merchants: harness.merchants,
    clients,
    random,
    betweenMs: 50,
    programOf: (merchant) => programs.get(merchant) as ShopProgram,
    clock: () => Date.now() + shopSkew.seconds * 1000,
    retriedCodes: ['signature_expired'],
  });
}

const toleranceSeconds = 300;

/** Checks that a server with a wrong clock refuses a correct time with the documented code and a message. */
async function faultsOfSigning(harness: Harness, url: string, skewSeconds: number): Promise<string[]> {
  const [program] = programsOf(harness.merchants, url).values();
  const { status, json } = (await program?.get('/openapi/v1/balance')) ?? { status: 0, json: undefined };
  const seen = `${status} ${json?.code ?? ''}`.trim();
  const wanted = Math.abs(skewSeconds) > toleranceSeconds ? '401 signature_expired' : '200';
  if (seen !== wanted) return [`${skewSeconds} s off, a call with the right time got the reply ${seen}`];
  return status === 401 && !json.message ? ['signature_expired came without a message'] : [];
}

/** Checks that all stored times are the database's: none over an hour old, none in the future. */
async function faultsOfTimes(harness: Harness): Promise<string[]> {
  const { database } = harness.installation.runtime.services;
  const rows = await database.asSystem((tx) =>
    tx.query
      .selectFrom('payout')
      .select(['trade_no', 'created_at', 'sent_at', 'paid_at', 'rejected_at'])
      .execute(),
  );
  const [from, to] = [Date.now() - hour * 1000, Date.now() + 1000];
  return rows.flatMap((row) =>
    [row.created_at, row.sent_at, row.paid_at, row.rejected_at]
      .filter((at) => at !== null && (at.getTime() < from || at.getTime() > to))
      .map((at) => `${row.trade_no} has an impossible time: ${at?.toISOString()}`),
  );
}

function library(): string {
  return globSync('/usr/lib/{*/,}faketime/libfaketimeMT.so.1')[0] ?? '';
}

const printTime = ['-p', 'Date.now()'];

async function obstacle(): Promise<Obstacle | undefined> {
  if (library() === '')
    return { kind: 'package', reason: 'libfaketime is not installed (Debian: apt-get install libfaketime)' };
  const env = { ...process.env, ...clocks, LD_PRELOAD: library(), FAKETIME: '+7200' };
  const { stdout } = await promisify(execFile)(process.execPath, printTime, { env });
  if (Number(stdout) - Date.now() > hour * 1000) return undefined;
  return { kind: 'package', reason: 'libfaketime is installed, but Node.js does not see its time' };
}
