import { type ExportList, exportColumns } from '@hengfu/contract/export-columns';
import { languages } from '@hengfu/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { nothingArchived } from '../../testing/nothing-archived.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { csvLine, Sums } from './cells.rules.ts';
import { formatRows } from './export-file.ts';
import { type ExportTask, readHome } from './exports.sql.ts';
import type { Lines } from './line-bytes.rules.ts';
import { readCells, readLines } from './lines.sql.ts';

let product: TestProduct;
let merchant: TestMerchant;

const exportables = exportablesOf(nothingArchived);
const count = 700;
/** Texts that spreadsheets execute, that break a line of CSV, and that only look as if they did. */
const texts = [
  '=1+1',
  '+1',
  '-1',
  '@x',
  '\tx',
  '\rx',
  'a,b',
  'a"b',
  '"',
  'a\nb',
  'a\r\nb',
  '=a,"b"',
  "'",
  '',
  ' x',
  '饮料',
  'a=b',
  '7-7',
  'a\\b',
  '\\',
  '\\N',
  '\\.',
  '\\n',
  'a\tb\vc\fd\be',
  "' or true --",
  "\\' or true --",
  '$1',
  '😀=',
  '＝1',
  "x';=1",
  'x; "=1',
  'x\n=1',
  'x;',
  'x;\u00a0=1',
  '\u200b-1',
  '\u034f+1',
  'Đặng',
];

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('lines', 'CNY', 'Europe/Berlin');
  for (let number = 1; number <= 40; number++) await product.fund(merchant, `${number * 7}.05`);
  await fillWithOrders(product.services.database, merchant.id, count);
  await product.services.database.asSystem(async (tx) => {
    // Every state, amounts of every length, and both changes of daylight saving time.
    await sql`update collection set subject = (${texts}::text[])[1 + id % ${texts.length}],
      amount_minor = case when id % 20 = 0 then 123456789012345 + id else 1 + (id * id * id) % 900000007 end, fee_minor = id % 2, channel = case when id % 3 = 0 then 'CN_BANK' end,
      created_at = timestamptz '2026-01-01' + id % 365 * interval '1 day 13 minutes 0.987 seconds'
      where merchant_id = ${merchant.id}`.execute(tx.query);
    await sql`update collection set status = case when id % 4 = 0 then 'success' else 'refunded' end,
      settlement_status = 'unsettled', paid_at = created_at + interval '1 minute',
      refunded_at = case when id % 4 = 0 then null else created_at + interval '2 minutes' end
      where merchant_id = ${merchant.id} and id % 2 = 0`.execute(tx.query);
    await sql`update payout set payee = (${texts}::text[])[1 + id % ${texts.length}] || id, currency = case when id % 5 = 0 then 'VND' else 'CNY' end,
      bank = case when id % 2 = 0 then 'ICBC' end where merchant_id = ${merchant.id}`.execute(tx.query);
  });
});
afterAll(() => product.close());

async function linesIn(batches: AsyncIterable<Lines>): Promise<string[]> {
  const parts = await Array.fromAsync(batches);
  const lines = Buffer.concat(parts.map(({ bytes }) => bytes)).toString();
  return lines.split('\r\n');
}

/** Reads a list's lines, cells and sums both ways: from rows that the database formats, and from API rows. */
async function bothOf(list: ExportList, locale: Pick<ExportTask, 'language' | 'zone'>, filters = {}) {
  const columns = exportColumns[list];
  const task = { list, ...locale } as ExportTask;
  return product.services.database.asMerchant(merchant.id, async (tx) => {
    const home = await readHome(tx);
    const source = await exportables[list].copyable?.(tx, home, filters);
    if (!source) throw new Error('the database does not format this list');
    const [lineSums, cellSums, rowSums] = [new Sums(columns), new Sums(columns), new Sums(columns)];
    const byDatabase = {
      lines: await linesIn(readLines(tx, source, columns, task, lineSums)),
      cells: (await Array.fromAsync(readCells(tx, source, columns, task, cellSums))).flat(),
      sums: [inOrder(lineSums), inOrder(cellSums)],
    };
    const rows = exportables[list].read(tx, home, filters);
    const cells = (await Array.fromAsync(formatRows(task, columns, rows, rowSums))).flat();
    const lines = cells.map(csvLine).join('').split('\r\n');
    return [byDatabase, { lines, cells, sums: [inOrder(rowSums), inOrder(rowSums)] }] as const;
  });
}

const inOrder = (sums: Sums) =>
  sums
    .list()
    .map(({ key, currency, amount }) => `${key} ${amount} ${currency}`)
    .sort();

const copyableLists: ExportList[] = ['collections', 'payouts', 'fundFlow'];

it.each(copyableLists.flatMap((list) => languages.map((language) => [list, language] as const)))(
  'the database formats %s in %s like the rows on screen',
  async (list, language) => {
    for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns']) {
      const [byDatabase, byApi] = await bothOf(list, { language, zone });
      expect(byDatabase.cells.length).toBeGreaterThanOrEqual(40);
      expect(byDatabase).toEqual(byApi);
    }
  },
);

it('a filter’s text is treated as plain text in every statement', async () => {
  const locale = { language: 'en', zone: 'UTC' } as const;
  for (const text of texts) {
    const [byDatabase, byApi] = await bothOf('payouts', locale, { payee: `${text}7` });
    expect(byDatabase).toEqual(byApi);
  }
  const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
    sql<{
      payee: string;
    }>`select payee from payout where payee = trim(payee, E' \\t\\r\\n') order by id limit 60`.execute(
      tx.query,
    ),
  );
  for (const { payee } of rows) {
    const [byDatabase, byApi] = await bothOf('payouts', locale, { payee });
    expect(byDatabase.cells.map(([, , , , ...cells]) => cells.some(({ text }) => text === payee))).toEqual([
      true,
    ]);
    expect(byDatabase).toEqual(byApi);
  }
});
