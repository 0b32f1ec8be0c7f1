import { type ExportList, exportColumns } from '@hengfu/contract/export-columns';
import { languages } from '@hengfu/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { exportables } from '../../exportables.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { Sums } from './cells.rules.ts';
import { linesOf, toldOf } from './export-file.ts';
import { type ExportTask, readHome } from './exports.sql.ts';
import { readLines, readSums } from './lines.sql.ts';

let product: TestProduct;
let merchant: TestMerchant;

const count = 700;
/** What spreadsheets run, what breaks a line of CSV, and what only looks so. */
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
];

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('lines', 'CNY', 'Europe/Berlin');
  for (let number = 1; number <= 40; number++) await product.fund(merchant, `${number * 7}.05`);
  await fillWithOrders(product.services.database, merchant.id, count);
  await product.services.database.asSystem(async (tx) => {
    // In every state, at amounts of every length, over both changes of the clocks.
    await sql`update collection set subject = (${texts}::text[])[1 + id % ${texts.length}],
      amount_minor = 1 + (id * id * id) % 900000007, fee_minor = id % 2, channel = case when id % 3 = 0 then 'CN_BANK' end,
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

async function wholeOf(batches: AsyncIterable<string[]>): Promise<string[]> {
  const whole: string[] = [];
  for await (const batch of batches) whole.push(...batch);
  return whole;
}

const written: ExportList[] = ['collections', 'payouts', 'fundFlow'];

it.each(written.flatMap((list) => languages.map((language) => [list, language] as const)))(
  'the database writes %s in %s as the rows on screen are told',
  async (list, language) => {
    for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns']) {
      const columns = exportColumns[list];
      const task = { list, language, zone } as ExportTask;
      const [lines, sums, told, toldSums] = await product.services.database.asMerchant(
        merchant.id,
        async (tx) => {
          const home = await readHome(tx);
          const source = await exportables[list].written?.(tx, home, {});
          if (!source) throw new Error('nothing to write');
          const byRow = new Sums(columns);
          const rows = exportables[list].read(tx, home, {});
          return [
            await wholeOf(readLines(tx, source, columns, task)),
            await readSums(tx, source, columns),
            await wholeOf(linesOf(toldOf(task, columns, rows, byRow))),
            byRow.list(),
          ];
        },
      );
      expect(lines.length).toBeGreaterThanOrEqual(40);
      expect(lines).toEqual(told);
      const inOrder = (all: typeof sums) =>
        all.map(({ key, currency, amount }) => `${key} ${amount} ${currency}`).sort();
      expect(inOrder(sums)).toEqual(inOrder(toldSums));
    }
  },
);
