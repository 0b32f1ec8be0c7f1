import { type ExportList, exportColumns } from '@hengfu/contract/export-columns';
import { languages } from '@hengfu/contract/languages';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import { csvRows } from '#files/csv-cells.rules.ts';
import type { RowBatch, RowFormat } from '#files/row-format.rules.ts';
import { SheetRows } from '#files/xlsx-cells.rules.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { nothingArchived } from '../../testing/nothing-archived.ts';
import { plainCells, plainLine, plainSheetRow, plainSums, xmlText } from '../../testing/plain-export.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { readRowsOfSheet } from '../../testing/workbook.ts';
import { type ExportTask, readHome } from './exports.sql.ts';
import { readRows } from './rows.sql.ts';
import { Sums } from './sums.rules.ts';

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
      bank = case when id % 2 = 0 then 'ICBC' end, branch_name = (${texts}::text[])[1 + id % ${texts.length}],
      account_type = case id % 3 when 0 then 'CPF' when 1 then 'NOTYPE' end where merchant_id = ${merchant.id}`.execute(
      tx.query,
    );
  });
});
afterAll(() => product.close());

async function textOf(batches: AsyncIterable<RowBatch>): Promise<string> {
  const parts = await Array.fromAsync(batches);
  return Buffer.concat(parts.map(({ bytes }) => bytes)).toString();
}

/** Reads a list's rows in both formats, and its sums; and the same the plain way, from the rows on screen. */
async function bothOf(list: ExportList, locale: Pick<ExportTask, 'language' | 'zone'>, filters = {}) {
  const columns = exportColumns[list];
  return product.services.database.asMerchant(merchant.id, async (tx) => {
    const home = await readHome(tx);
    const written = async (format: RowFormat) => {
      const sums = new Sums();
      const request = { format, columns, ...locale };
      const text = await textOf(readRows(tx, home, exportables[list], filters, request, sums));
      return { text, sums: inOrder(sums) };
    };
    const { copyable } = exportables[list];
    if (!(await copyable?.(tx, home, filters))) throw new Error('the database does not format this list');
    const csv = await written(csvRows);
    const sheet = await written(new SheetRows({ firstRow: 1 }));
    const byDatabase = {
      lines: csv.text.split('\r\n'),
      cells: readRowsOfSheet(sheet.text),
      sums: [csv.sums, sheet.sums],
    };
    const rows = (await Array.fromAsync(exportables[list].read(tx, home, filters, locale.language))).flat();
    const plain = rows.map((row) => plainCells(row, columns, locale));
    const byApi = {
      lines: plain.map(plainLine).join('').split('\r\n'),
      cells: plain.map(plainSheetRow),
      sums: [plainSums(rows, columns), plainSums(rows, columns)],
    };
    return [byDatabase, byApi] as const;
  });
}

const inOrder = (sums: Sums) =>
  sums
    .list()
    .map(({ key, currency, amount }) => `${key} ${currency} ${amount}`)
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
    expect(
      byDatabase.cells.map(([, , , , ...cells]) => cells.some((cell) => cell?.value === xmlText(payee))),
    ).toEqual([true]);
    expect(byDatabase).toEqual(byApi);
  }
});
