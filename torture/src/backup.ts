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
import { operator, type Ran } from './operator.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  collections: number;
}

/** Backing up and bringing back may take so long, and so much memory. */
const mostSeconds = 600;
const mostMemory = 320;
const shops = 4;

/**
 * A database with a year of orders is backed up while shops send payouts, and brought back into a cluster of its own.
 * Both commands are killed once before, at a random moment. What comes back is of one moment: the same hash of every
 * table, sound books, every payout that was acknowledged before, and the job of each that is still to be sent.
 */
export const backup = torture<Size>({
  title: 'a backup under payouts, brought back',
  short: { collections: 2000 },
  long: { collections: 400_000 },
  async run({ collections }, random) {
    const folder = await newFolder();
    const merchant = await fill(folder, collections);
    const installation = await openTestInstallation(folder);
    const target = await startEmbedded({ dataDir: join(folder, 'target'), log: () => {} });
    try {
      const saved = await save(installation, merchant, random);
      const restored = await bringBack(target.ownerUrl, folder, random);
      const faults = [
        ...saved.faults,
        ...(await faultsOfEntries(installation.ownerUrl, target.ownerUrl)),
        ...restored.faults,
        ...(await faultsOf(target.ownerUrl, saved.before)),
      ];
      const entries = (await readManifest(join(folder, 'first'))).tables.find(
        ({ name }) => name === 'public.ledger_entry',
      )?.rows;
      const counts = {
        'ledger entries': entries ?? 0,
        'payouts taken meanwhile': saved.meanwhile,
        'seconds to back up': seconds(saved.ran),
        'seconds to bring back': seconds(restored.ran),
        'MiB at most': Math.max(saved.ran.mostMemory, restored.ran.mostMemory),
      };
      return { counts, faults };
    } finally {
      await target.stop();
      await installation.close();
    }
  },
});

const seconds = (ran: Ran) => ran.seconds.toFixed(1);

/** A merchant's year, written without waiting for the disk. */
async function fill(folder: string, collections: number): Promise<KeyedMerchant> {
  const installation = await openFastTestInstallation(folder, fillingSettings);
  const [merchant] = await makeMerchants(installation.runtime, 1);
  if (!merchant) throw new Error('no merchant');
  await loadYear(installation.ownerUrl, merchant.id, collections);
  await installation.close({ isKept: true });
  return merchant;
}

/** Backs up while shops send payouts; `before`: the numbers of those that were acknowledged before it began. */
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
      else faults.push(`a payout was answered with ${status}: ${JSON.stringify(json)}`);
    }
  };
  const sending = Promise.all(Array.from({ length: shops }, (_, name) => shop(name)));
  try {
    const place = join(installation.folder, 'first');
    const killed = join(installation.folder, 'killed');
    const { code } = await operator(installation.ownerUrl, ['backup', '--to', killed], {
      endAfterMs: random.between(200, 1500),
    });
    if (code !== 0 && (await isThere(killed))) faults.push('a backup that was killed stands in its place');
    const before = [...acknowledged];
    const ran = await operator(installation.ownerUrl, ['backup', '--to', place]);
    if (ran.code !== 0) throw new Error(`the backup failed: ${ran.text}`);
    faults.push(...faultsOfCost('backing up', ran));
    return { ran, before, meanwhile: acknowledged.length - before.length, faults };
  } finally {
    isOver = true;
    await sending;
    await product.stop();
  }
}

/** Brings the backup back, killed once; compares every table's hash by backing up what came of it. */
async function bringBack(ownerUrl: string, folder: string, random: Random) {
  const from = ['restore', '--from', join(folder, 'first')];
  const killed = await operator(ownerUrl, from, { endAfterMs: random.between(500, 3000) });
  // One that was quick enough is done, or was killed behind its commit; nothing is ever brought back over it.
  const next = killed.code === 0 ? killed : await operator(ownerUrl, from);
  const ran = next.code !== 0 && next.text.includes('The database is not empty') ? killed : next;
  if (ran === next && ran.code !== 0) throw new Error(`bringing back failed: ${ran.text}`);
  const faults = faultsOfCost('bringing back', ran);
  const over = await operator(ownerUrl, from);
  if (over.code === 0) faults.push('a backup was brought back over a filled database');
  const again = await operator(ownerUrl, ['backup', '--to', join(folder, 'second')]);
  if (again.code !== 0) throw new Error(`backing up what came back failed: ${again.text}`);
  const first = await readManifest(join(folder, 'first'));
  const second = new Map(
    (await readManifest(join(folder, 'second'))).tables.map((table) => [table.name, table]),
  );
  for (const { name, sha256 } of first.tables)
    if (second.get(name)?.sha256 !== sha256) faults.push(`${name} has another hash than before`);
  return { ran, faults };
}

function faultsOfCost(what: string, ran: Ran): string[] {
  return [
    ...(ran.seconds > mostSeconds ? [`${what} took ${seconds(ran)} s`] : []),
    ...(ran.mostMemory > mostMemory ? [`${what} took ${ran.mostMemory} MiB`] : []),
  ];
}

/** What came back besides sound books, which the command itself has judged. */
async function faultsOf(ownerUrl: string, before: readonly string[]): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    await client.query(
      'begin; alter table payout no force row level security; alter table merchant_job no force row level security',
    );
    const missing = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) name where not exists (select from payout where out_trade_no = name)`,
      [before],
    );
    const forgotten = await client.query<{ no: string }>(
      `select trade_no as no from payout p where status = 'pending'
        and not exists (select from graphile_worker.jobs j where j.key = 'send:' || p.trade_no)
        and not exists (select from merchant_job j where j.key = 'send:' || p.trade_no)`,
    );
    await client.query('rollback');
    return [
      ...missing.rows.map(({ name }) => `${name} was acknowledged before and is not there`),
      ...forgotten.rows.map(({ no }) => `${no} is to be sent and has no job`),
    ];
  });
}

/** Entries are never changed: those that came back are those that are still there, told by the databases themselves. */
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
  const back = await read(target, '', []);
  const there = await read(
    source,
    'join unnest($1::bigint[], $2::bigint[]) a (id, upto) on a.id = e.account_id and e.version <= a.upto',
    [back?.accounts, back?.versions],
  );
  return back?.sum === there?.sum
    ? []
    : ['the entries that came back are others than those that were backed up'];
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
