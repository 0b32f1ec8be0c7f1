import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const server = join(import.meta.dirname, '../..');
const aggregate = /\b(count|sum|avg|min|max)\(|countAll/;
const liveOnly = /\bmode = 'live'/;

/**
 * Every statement that adds up rows of several merchants, with the merchants it means. A sum for people must not mix real money
 * with that of test merchants; checks and queues concern all of them.
 */
const inventory: Record<string, 'live' | 'all'> = {
  // The status page and the figures for the on-call engineer.
  'status-signals.sql.ts countChannelOrders': 'live',
  'status-signals.sql.ts countUnanswered': 'live',
  'watch.sql.ts readUnfinishedPayouts': 'live',
  'watch.sql.ts readChannelOrders': 'live',
  // The figures of the back office.
  'staff_clearing_day.sql': 'live',
  'staff_money.sql': 'live',
  // Notices of each merchant’s keys, by itself.
  'key-warnings.sql.ts listDueWarnings': 'all',
  // Checks of the books.
  'entry-sums.sql.ts sumEntries': 'all',
  'collection_violations.sql': 'all',
  'fund_flow_violations.sql': 'all',
  'ledger_violations.sql': 'all',
  'payout_batch_violations.sql': 'all',
  'payout_violations.sql': 'all',
  'refund_violations.sql': 'all',
  'rollup_day_violations.sql': 'all',
  'payment_link_violations.sql': 'all',
  'topup_violations.sql': 'all',
  'withdrawal_violations.sql': 'all',
  // The sealed audit trail, which is that of all of them.
  'audit-seal.sql.ts readFirstId': 'all',
  'audit-seal.sql.ts readNextId': 'all',
  'audit-seal.sql.ts sumRows': 'all',
  'audit-seal.sql.ts readUnsealed': 'all',
  'watch.sql.ts readUnsealedSeconds': 'all',
  // Changes of the rollup, each merchant's by itself.
  'adjust_closed_days.sql': 'all',
  // The sweep of repeated calls.
  'repeated-calls.sql.ts deleteOldCalls': 'all',
  // The job queue, which works for all of them.
  'claim_job_of_merchant.sql': 'all',
  'claim_merchant_jobs.sql': 'all',
  'gather_merchant_jobs.sql': 'all',
  'merchant-jobs.sql.ts returnFailed': 'all',
  'work_delays.sql': 'all',
};

/** Names of the tables that have the merchant as a column. */
async function tenantTables(): Promise<RegExp> {
  const names: string[] = [];
  for await (const file of glob(join(server, 'migrations/*.sql'))) {
    const text = await readFile(file, 'utf8');
    for (const [, name = '', columns = ''] of text.matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g))
      if (/^\s+merchant_id /m.test(columns)) names.push(name);
  }
  expect(names.length).toBeGreaterThan(30);
  return new RegExp(`\\b(from|join|selectFrom\\(')\\s*(${names.join('|')})\\b`);
}

interface Found {
  name: string;
  text: string;
}

/** Functions of the server that run with a transaction of no particular merchant. */
async function systemFunctions(): Promise<Found[]> {
  const found: Found[] = [];
  for await (const file of glob(join(server, 'src/**/*.sql.ts'))) {
    if (/\/(testing|demo)\//.test(file)) continue;
    for (const text of (await readFile(file, 'utf8'))
      .split(/^(?=(?:export )?(?:async )?function )/m)
      .slice(1)) {
      const name = /function (\w+)/.exec(text)?.[1];
      if (/\btx: Tx\b/.test(text)) found.push({ name: `${basename(file)} ${name}`, text });
    }
  }
  return found;
}

/** SQL functions that take no merchant and do not use the transaction's or a changed row's. */
async function sqlFunctions(): Promise<Found[]> {
  const found: Found[] = [];
  for await (const file of glob(join(server, 'migrations/functions/*.sql'))) {
    const text = await readFile(file, 'utf8');
    if (!/returns trigger|current_merchants?\(\)|\(\s*(of_)?merchants?\b|\bmerchants bigint\[\]/.test(text))
      found.push({ name: basename(file), text });
  }
  return found;
}

describe('a sum over all merchants', () => {
  it('says which mode it means, and is listed here', async () => {
    const tables = await tenantTables();
    const sums = [...(await systemFunctions()), ...(await sqlFunctions())].filter(
      ({ text }) =>
        aggregate.test(text) &&
        tables.test(text) &&
        !/(merchant_id|m\.id) = \$\{|'merchant_id', '='/.test(text),
    );
    const meant = sums.map(({ name, text }) => [name, liveOnly.test(text) ? 'live' : 'all']);
    expect(Object.fromEntries(meant)).toEqual(inventory);
  });
});
