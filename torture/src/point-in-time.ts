import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readHold } from '@hengfu/server/recovery/recovery-hold.ts';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { faultsAgainstBank, type KeptPayout, keptPayouts } from './bank-book.ts';
import { faultsOfBooks } from './books.ts';
import { Deployment } from './deployment.ts';
import { faultsOfStuckPayouts } from './load-books.ts';
import { operatorIn } from './operator.ts';
import { type Acknowledged, payoutBody, SteadyLoad } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** How often the cluster is lost. */
  losses: number;
  clients: number;
  /** Shortest and longest load before a loss. */
  loadSeconds: readonly [number, number];
}

const merchants = 3;
/** The promise: at most so much is lost with the machine. */
const mostLostMs = 60_000;
const baseWithinMs = 60_000;

/** Few replies of the bank are lost: each would hold a slot of the worker for seconds, and the bank would know little. */
const outcomes = [...Array<string>(16).fill('00'), '01', '02', '06', '07'];

interface Loss {
  /** The commit time of the last restored transaction. */
  recoveredTo: Date;
  restoreSeconds: number;
  lostMs: number;
  /** Our numbers of the payouts that the bank knows and the database does not. */
  reported: string[];
}

/**
 * The cluster is lost in the middle of payouts: every process is killed, and its directory removed. A restore from the archive comes
 * back to within a minute of the fault, with a ledger that balances. Nothing is paid out before the comparison, which names
 * exactly the payouts that the bank knows and the database does not, and those of a merchant's own records.
 */
export const pointInTime = torture<Size>({
  title: 'the cluster lost in the middle of payouts, and restored from its archive',
  short: { losses: 1, clients: 6, loadSeconds: [40, 50] },
  long: { losses: 4, clients: 12, loadSeconds: [45, 120] },
  isForBuildServers: true,
  async run(size, random) {
    const key = randomBytes(32).toString('hex');
    const deployment = await Deployment.start({
      merchants,
      web: 1,
      workers: 1,
      env: (folder) => ({ WAL_ARCHIVE_URL: `file://${join(folder, 'archive')}`, WAL_ARCHIVE_KEY: key }),
    });
    const faults: string[] = [];
    const losses: Loss[] = [];
    let acknowledged = 0;
    try {
      for (let number = 0; number < size.losses; number++) {
        const load = await loadUntilLost(deployment, size, random, number);
        const loss = await restore(deployment, load, random, faults);
        losses.push(loss);
        acknowledged += load.acknowledged.length;
        await release(deployment, faults);
        faults.push(...load.faults);
      }
      const kept = await finish(deployment, faults);
      const reported = new Set(losses.flatMap((loss) => loss.reported));
      faults.push(...faultsOfReports(kept, deployment.bankFolder, reported));
      faults.push(...deployment.unexpectedExits);
      if (reported.size === 0) faults.push('no payout was lost that the bank knew: too little load');
      const counts = {
        'times the cluster was lost': losses.length,
        'payouts acknowledged': acknowledged,
        'payouts lost and reported': reported.size,
        's lost at most': (Math.max(...losses.map(({ lostMs }) => lostMs)) / 1000).toFixed(1),
        's for a restore at most': Math.max(...losses.map(({ restoreSeconds }) => restoreSeconds)).toFixed(1),
      };
      return { counts, faults };
    } finally {
      await deployment.stop();
      await deployment.remove();
    }
  },
});

/** Sends payouts once there is a base backup, and removes the cluster in the middle of them. */
async function loadUntilLost(
  deployment: Deployment,
  size: Size,
  random: Random,
  number: number,
): Promise<SteadyLoad & { lostAt?: Date }> {
  await until(
    () => countBases(deployment),
    (count) => count > number,
    baseWithinMs,
  );
  const programs = new Map(
    deployment.merchants.map((merchant) => [merchant, new ShopProgram(deployment.url, merchant.key)]),
  );
  const load = new SteadyLoad({
    merchants: deployment.merchants,
    clients: size.clients,
    random,
    name: `loss-${number}`,
    betweenMs: 150,
    outcomes,
    programOf: (merchant) => programs.get(merchant) as ShopProgram,
  });
  await pause(random.between(...size.loadSeconds) * 1000);
  const lost = deployment.loseDatabase();
  load.abandon();
  const lostAt = new Date();
  await Promise.all([lost, load.stop()]);
  return Object.assign(load, { lostAt });
}

/** Counts the complete base backups. */
async function countBases({ env }: Deployment): Promise<number> {
  const names = await readdir(new URL(env.WAL_ARCHIVE_URL ?? '')).catch(() => []);
  return names.filter((name) => name.endsWith('.manifest')).length;
}

/** Restores the cluster, killed once before, starts the product on it, and checks that it pays nothing out and what the comparison says. */
async function restore(
  deployment: Deployment,
  load: SteadyLoad & { lostAt?: Date },
  random: Random,
  faults: string[],
): Promise<Loss> {
  const command = ['restore', '--to-time', 'latest'];
  const killed = await operatorIn(deployment.env, command, { killAfterMs: random.between(300, 4000) });
  const next = killed.code === 0 ? killed : await operatorIn(deployment.env, command);
  // Killed when there was a cluster already: then it is held, and whole.
  const result = next.text.includes('There is a database in') ? killed : next;
  if (result === next && result.code !== 0) throw new Error(`the restore failed: ${result.text}`);
  const recoveredTo = readHold(join(deployment.env.DATA_DIR ?? '', 'postgres'))?.recoveredTo ?? new Date(0);
  const lostMs = (load.lostAt?.getTime() ?? 0) - recoveredTo.getTime();
  if (lostMs > mostLostMs) faults.push(`${lostMs} ms before the fault are lost`);
  await deployment.resume();
  faults.push(...(await faultsOfNewPayout(deployment)));
  const released = await operatorIn(deployment.env, ['recovery', 'release']);
  if (released.code === 0) faults.push('the payouts were released without a comparison');
  const kept = await deployment.withRuntime(({ services: { database } }) => keptPayouts(database));
  faults.push(...faultsOfAcknowledged(load.acknowledged, kept, recoveredTo));
  faults.push(...(await faultsOfMerchantRecords(deployment, load.acknowledged, kept)));
  const reported = (await compare<{ trade_no: string }>(deployment)).map((row) => row.trade_no);
  const unsettled = await operatorIn(deployment.env, ['recovery', 'release']);
  if (reported.length > 0 && unsettled.code === 0)
    faults.push('the payouts were released although the comparison lists some');
  const unchanged = await deployment.withRuntime(({ services: { database } }) => keptPayouts(database));
  if (digest(unchanged) !== digest(kept)) faults.push('payouts went on before the release');
  return { recoveredTo, restoreSeconds: result.seconds, lostMs, reported };
}

/** A payout must not be accepted before the release. */
async function faultsOfNewPayout({ merchants: [merchant], url }: Deployment): Promise<string[]> {
  const program = new ShopProgram(url, (merchant as KeyedMerchant).key);
  const { status, json } = await program.post('/openapi/v1/payouts', payoutBody('while-held', '1.00'));
  return json.code === 'channel_closed' ? [] : [`a payout before the release got ${status} ${json.code}`];
}

/** Runs a comparison; returns the rows of what is unknown here. Throws if it failed. */
async function compare<Row>({ env }: Deployment, ...args: string[]): Promise<Row[]> {
  const { code, text } = await operatorIn(env, ['recovery', 'compare', ...args, '--json']);
  if (code === 0) return [];
  if (!text.startsWith('[')) throw new Error(`the comparison failed: ${text}`);
  return JSON.parse(text);
}

const digest = (kept: readonly KeptPayout[]) =>
  kept
    .map(({ tradeNo, status }) => `${tradeNo} ${status}`)
    .sort()
    .join();

/** Everything that was acknowledged before the last restored transaction was committed before it. */
function faultsOfAcknowledged(
  acknowledged: readonly Acknowledged[],
  kept: readonly KeptPayout[],
  recoveredTo: Date,
): string[] {
  const known = new Set(kept.map(({ tradeNo }) => tradeNo));
  return acknowledged
    .filter(({ tradeNo, at }) => at <= recoveredTo && !known.has(tradeNo))
    .map(({ tradeNo, at }) => `${tradeNo} was acknowledged at ${at.toISOString()} and is missing`);
}

/** Compares a merchant's own records, and what the command says about them. */
async function faultsOfMerchantRecords(
  deployment: Deployment,
  acknowledged: readonly Acknowledged[],
  kept: readonly KeptPayout[],
): Promise<string[]> {
  const faults: string[] = [];
  const known = new Set(kept.map(({ outTradeNo }) => outTradeNo));
  for (const merchant of deployment.merchants) {
    const own = acknowledged.filter((order) => order.merchant === merchant);
    const file = join(deployment.bankFolder, '..', `${merchant.code}.csv`);
    await writeFile(file, own.map(({ outTradeNo, at }) => `${outTradeNo},${at.toISOString()}\n`).join(''));
    const rows = await compare<{ out_trade_no: string }>(
      deployment,
      '--merchant',
      merchant.code,
      '--orders',
      file,
    );
    const said = rows.map((row) => row.out_trade_no);
    const expected = own.map(({ outTradeNo }) => outTradeNo).filter((each) => !known.has(each));
    if (said.join() !== expected.join())
      faults.push(
        `of ${merchant.code}, ${expected.length} orders are missing, and ${said.length} were named`,
      );
  }
  return faults;
}

/** Releases the payouts: what was accepted before the fault is paid. */
async function release(deployment: Deployment, faults: string[]): Promise<void> {
  const reason = 'the merchants owe what the bank paid and the database has lost';
  const { code, text } = await operatorIn(deployment.env, ['recovery', 'release', '--unreconciled', reason]);
  if (code !== 0) faults.push(`the release failed: ${text}`);
  faults.push(
    ...(await deployment.withRuntime(({ services: { database } }) => faultsOfStuckPayouts(database))),
  );
}

async function finish(deployment: Deployment, faults: string[]): Promise<KeptPayout[]> {
  const verified = await operatorIn(deployment.env, ['recovery', 'verify']);
  if (verified.code !== 0) faults.push(`the archive is not whole: ${verified.text}`);
  const kept = await deployment.withRuntime(async ({ services: { database } }) => {
    faults.push(...(await faultsOfBooks(deployment.ownerUrl, database)));
    return keptPayouts(database);
  });
  const code = await deployment.stop();
  if (code !== 0) faults.push(`the server exited with ${code} on SIGTERM`);
  return kept;
}

const unknownHere = /^the bank has a payout that is unknown here: (\S+)$/;

/** The payouts that the bank has and the database has not must be those that were reported, and nothing else may differ. */
function faultsOfReports(
  kept: readonly KeptPayout[],
  bankFolder: string,
  reported: ReadonlySet<string>,
): string[] {
  const left = new Set(reported);
  const faults = faultsAgainstBank(kept, bankFolder).filter((fault) => {
    const tradeNo = unknownHere.exec(fault)?.[1] ?? '';
    return !left.delete(tradeNo);
  });
  return [...faults, ...[...left].map((tradeNo) => `${tradeNo} was reported, and is no payout of the bank`)];
}
