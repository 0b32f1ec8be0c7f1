import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from '@hengfu/server/db/backup/manifest.ts';
import { startEmbedded } from '@hengfu/server/db/embedded/embedded.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { fillingSettings } from '@hengfu/server/testing/bulk.sql.ts';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { loadYear } from '@hengfu/server/testing/loader.sql.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import {
  newFolder,
  openFastTestInstallation,
  openTestInstallation,
  serve,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { type CommandResult, operator } from './operator.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  collections: number;
}

/** Limits for each backup and each restore. */
const maxSeconds = 600;
const maxMemoryMiB = 320;
const shops = 4;

/**
 * Backs up a database with a year of orders while shops send payouts, and restores it into another cluster.
 * Both commands are killed once before, at a random moment. The restored data is one snapshot: every table
 * has the same hash, the books balance, every payout acknowledged before the backup exists, and each unsent
 * payout has its job.
 */
export const backup = torture<Size>({
  title: 'a backup while payouts run, restored',
  short: { collections: 2000 },
  long: { collections: 400_000 },
  isForBuildServers: true,
  async run({ collections }, random) {
    const folder = await newFolder();
    const merchant = await fill(folder, collections);
    const installation = await openTestInstallation(folder);
    const target = await startEmbedded({ dataDir: join(folder, 'target'), log: () => {} });
    try {
      const saved = await save(installation, merchant, random);
      const restored = await restore(target.ownerUrl, folder, random);
      const faults = [
        ...saved.faults,
        ...(await faultsOfEntries(installation.ownerUrl, target.ownerUrl)),
        ...restored.faults,
        ...(await faultsOfPayouts(target.ownerUrl, saved.before)),
      ];
      const entries = (await readManifest(join(folder, 'first'))).tables.find(
        ({ name }) => name === 'public.ledger_entry',
      )?.rows;
      const counts = {
        'ledger entries': entries ?? 0,
        'payouts accepted meanwhile': saved.meanwhile,
        'seconds to back up': seconds(saved.result),
        'seconds to restore': seconds(restored.result),
        'MiB at most': Math.max(saved.result.peakMemoryMiB, restored.result.peakMemoryMiB),
      };
      return { counts, faults };
    } finally {
      await target.stop();
      await installation.close();
    }
  },
});

const seconds = (result: CommandResult) => result.seconds.toFixed(1);

/** Loads a year of orders for one merchant, without fsync. */
async function fill(folder: string, collections: number): Promise<KeyedMerchant> {
  const installation = await openFastTestInstallation(folder, fillingSettings);
  const [merchant] = await makeMerchants(installation.runtime, 1);
  if (!merchant) throw new Error('the merchant was not created');
  await loadYear(installation.ownerUrl, merchant.id, collections);
  await installation.close({ isKept: true });
  return merchant;
}

/** Backs up while shops send payouts; `before` has the order numbers acknowledged before the backup began. */
async function save(installation: TestInstallation, { key }: KeyedMerchant, random: Random) {
  const product = await serve(installation.ownerUrl, installation.folder, { PROCESS: 'web' });
  const acknowledged: string[] = [];
  const faults: string[] = [];
  let isOver = false;
  const shop = async (name: number) => {
    const program = new ShopProgram(product.url, key);
    for (let number = 0; !isOver; number++) {
      const outTradeNo = `meanwhile-${name}-${number}`;
      const amount = `1${name}.${String(number % 100).padStart(2, '0')}`;
      const account = `6222 ${name}${String(number).padStart(9, '0')}`;
      const { status, json } = await program.post('/openapi/v1/payouts', {
        out_trade_no: outTradeNo,
        currency: 'CNY',
        channel: 'CN_BANK',
        amount,
        payee: '王芳',
        bank: 'ICBC',
        bankName: '中国工商银行',
        payeeAccount: account,
      });
      if (status === 201) acknowledged.push(outTradeNo);
      else faults.push(`a payout got the reply ${status}: ${JSON.stringify(json)}`);
    }
  };
  const sending = Promise.all(Array.from({ length: shops }, (_, name) => shop(name)));
  try {
    const destination = join(installation.folder, 'first');
    const killed = join(installation.folder, 'killed');
    const { code } = await operator(installation.ownerUrl, ['backup', '--to', killed], {
      killAfterMs: random.between(200, 1500),
    });
    if (code !== 0 && (await exists(killed))) faults.push('a killed backup left its destination folder');
    const before = [...acknowledged];
    const result = await operator(installation.ownerUrl, ['backup', '--to', destination]);
    if (result.code !== 0) throw new Error(`the backup failed: ${result.text}`);
    faults.push(...faultsOfCost('the backup', result));
    return { result, before, meanwhile: acknowledged.length - before.length, faults };
  } finally {
    isOver = true;
    await sending;
    await product.stop();
  }
}

/** Restores the backup, killed once; backs the result up again and compares the hash of every table. */
async function restore(ownerUrl: string, folder: string, random: Random) {
  const from = ['restore', '--from', join(folder, 'first')];
  const killed = await operator(ownerUrl, from, { killAfterMs: random.between(500, 3000) });
  // The first attempt may have finished in time, or been killed after its commit. Then the second
  // attempt is refused.
  const next = killed.code === 0 ? killed : await operator(ownerUrl, from);
  const result = next.code !== 0 && next.text.includes('The database is not empty') ? killed : next;
  if (result === next && result.code !== 0) throw new Error(`the restore failed: ${result.text}`);
  const faults = faultsOfCost('the restore', result);
  const repeated = await operator(ownerUrl, from);
  if (repeated.code === 0) faults.push('a backup was restored over a filled database');
  const again = await operator(ownerUrl, ['backup', '--to', join(folder, 'second')]);
  if (again.code !== 0) throw new Error(`the backup of the restored database failed: ${again.text}`);
  const first = await readManifest(join(folder, 'first'));
  const second = new Map(
    (await readManifest(join(folder, 'second'))).tables.map((table) => [table.name, table]),
  );
  for (const { name, sha256 } of first.tables)
    if (second.get(name)?.sha256 !== sha256) faults.push(`the hash of ${name} has changed`);
  return { result, faults };
}

function faultsOfCost(what: string, result: CommandResult): string[] {
  return [
    ...(result.seconds > maxSeconds ? [`${what} took ${seconds(result)} s`] : []),
    ...(result.peakMemoryMiB > maxMemoryMiB ? [`${what} took ${result.peakMemoryMiB} MiB`] : []),
  ];
}

/** Checks the restored payouts and their jobs. The restore command has already verified the ledger. */
async function faultsOfPayouts(ownerUrl: string, before: readonly string[]): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    await client.query(
      'begin; alter table payout no force row level security; alter table merchant_job no force row level security',
    );
    const missing = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) name where not exists (select from payout where out_trade_no = name)`,
      [before],
    );
    const withoutJob = await client.query<{ no: string }>(
      `select trade_no as no from payout p where status = 'pending'
        and not exists (select from graphile_worker.jobs j where j.key = 'send:' || p.trade_no)
        and not exists (select from merchant_job j where j.key = 'send:' || p.trade_no)`,
    );
    await client.query('rollback');
    return [
      ...missing.rows.map(({ name }) => `${name} was acknowledged before the backup and is missing`),
      ...withoutJob.rows.map(({ no }) => `${no} is pending and has no job`),
    ];
  });
}

/** Compares the restored ledger entries with the source, up to the same versions: entries never change. */
async function faultsOfEntries(source: string, target: string): Promise<string[]> {
  const read = (url: string, from: string, values: unknown[]) =>
    asOwner(url, async (client) => {
      await client.query('begin; alter table ledger_entry no force row level security');
      const { rows } = await client.query<{ accounts: string[]; versions: string[]; sum: string }>(
        `select array_agg(account order by account)::text[] as accounts,
          array_agg(version order by account)::text[] as versions, sum(sum)::text as sum
        from (select e.account_id as account, max(e.version) as version, sum(hashtextextended(e::text, 0)::numeric) as sum
          from ledger_entry e ${from} group by 1) entries`,
        values,
      );
      await client.query('rollback');
      return rows[0];
    });
  const restored = await read(target, '', []);
  const original = await read(
    source,
    'join unnest($1::bigint[], $2::bigint[]) a (id, upto) on a.id = e.account_id and e.version <= a.upto',
    [restored?.accounts, restored?.versions],
  );
  return restored?.sum === original?.sum ? [] : ['the restored ledger entries differ from the original ones'];
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
