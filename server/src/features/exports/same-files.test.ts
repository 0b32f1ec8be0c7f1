import { randomInt } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ExportColumn, type ExportList, exportColumns } from '@hengfu/contract/export-columns';
import { languages } from '@hengfu/contract/languages';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import { PrimarySnapshots } from '#db/snapshots.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import { translate } from '#domain/language.ts';
import type { FileStore } from '#files/file-store.ts';
import { Random } from '../../demo/random.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { nothingArchived } from '../../testing/nothing-archived.ts';
import { plainCells, plainLine, plainSheetRow, plainSums } from '../../testing/plain-export.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { readWorkbook } from '../../testing/workbook.ts';
import { type ExportTask, insertExport, moveExport, readHome } from './exports.sql.ts';
import { ExportWriting } from './exports.writing.ts';

/** Another one in every run; a failure names it. */
const seed = randomInt(2 ** 31);
const random = new Random(seed);
const count = 450;
/** Characters that readers of CSV and XML escape, drop or execute, and harmless text between. */
const pieces = [
  ...[
    '=',
    '+',
    '-',
    '@',
    '＝',
    "'",
    '"',
    ';',
    ',',
    '\t',
    '\r',
    '\n',
    '\\',
    '\\N',
    ' ',
    '\u00a0',
    '\u200b',
    '\u3000',
  ],
  ...[
    '<',
    '>',
    '&',
    '&amp;',
    ']]>',
    '_x000D_',
    '_',
    'x0041_',
    '\u0001',
    '\u000b',
    '\u007f',
    '\u0085',
    '\ufffe',
    '\uffff',
  ],
  ...[
    '0',
    '007',
    '12345678901',
    '622202123456',
    '12E34',
    'a',
    'Đặng',
    '饮料',
    '😀',
    '\ue000',
    'é',
    'Z',
    '.',
    '%',
    '{}',
  ],
] as [string, ...string[]];
const zones = ['Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Asia/Shanghai'] as const;

let product: TestProduct;
let merchant: TestMerchant;

const randomText = () => Array.from({ length: random.between(0, 6) }, () => random.pick(pieces)).join('');
const texts = () => Array.from({ length: count }, randomText);
/** An array parameter by number: the column `n` counts rows from 1. */
const ofRow = (values: readonly unknown[], type: string) =>
  sql`(${values}::${sql.raw(type)}[])[1 + id % ${values.length}]`;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('same', 'CNY', 'Europe/Berlin');
  for (let number = 1; number <= 40; number++)
    await product.fund(merchant, `${random.between(1, 99_999_999)}.${random.between(10, 99)}`);
  await fillWithOrders(product.services.database, merchant.id, count);
  await makeRandom();
}, 120_000);
afterAll(() => product.close());

async function makeRandom(): Promise<void> {
  const amounts = Array.from({ length: count }, () => Math.ceil(10 ** (random.next() * 16)));
  const currencies = ['CNY', 'CNY', 'CNY', 'VND', 'USD', 'USDT'];
  const amount = sql`amount_minor = ${ofRow(amounts, 'bigint')}, currency = ${ofRow(currencies, 'text')}`;
  const at = sql`timestamptz '2026-01-01' + id % 365 * interval '1 day 13 hours 7 minutes 11.987 seconds'`;
  const mine = sql`merchant_id = ${merchant.id}`;
  const statements = [
    sql`update collection set subject = nullif(${ofRow(texts(), 'text')}, 'x'), ${amount}, fee_minor = id % 2,
      out_trade_no = ${ofRow(texts(), 'text')} || id, channel = case when id % 3 = 0 then 'CN_BANK' end, created_at = ${at}
      where ${mine}`,
    sql`update collection set status = case when id % 4 = 0 then 'success' else 'refunded' end,
      settlement_status = case when id % 6 = 0 then 'settled' else 'unsettled' end, paid_at = created_at + interval '1 minute',
      refunded_at = case when id % 4 = 0 then null else created_at + interval '2 minutes' end,
      settlement_id = case when id % 6 = 0 then (select min(s.id) from settlement s where s.merchant_id = ${merchant.id}) end
      where ${mine} and id % 2 = 0`,
    sql`update refund set reason = ${ofRow(texts(), 'text')}, out_refund_no = ${ofRow(texts(), 'text')} || id, ${amount},
      fee_minor = id % 2, requested_by = case id % 3 when 0 then 'service' when 1 then 'key:k' else 'user:1' end, created_at = ${at}
      where ${mine}`,
    sql`update payout set payee = ${ofRow(texts(), 'text')} || id, payee_account = ${ofRow(texts(), 'text')}, ${amount},
      fee_minor = id % 3, bank = case id % 3 when 0 then 'ICBC' when 1 then 'NOBANK' end,
      bank_name = ${ofRow(texts(), 'text')}, branch_name = nullif(${ofRow(texts(), 'text')}, ''), ifsc = ${ofRow(texts(), 'text')},
      account_type = case id % 3 when 0 then 'PHONE' when 1 then 'NOTYPE' end, tax_id = ${ofRow(texts(), 'text')}, created_at = ${at} where ${mine}`,
    sql`update topup set ${amount}, usdt_minor = ${ofRow(amounts, 'bigint')}, address = ${ofRow(texts(), 'text')},
      arrived_usdt_minor = case when id % 2 = 0 then ${ofRow(amounts, 'bigint')} end, transaction_id = ${ofRow(texts(), 'text')} || id,
      usd_minor = case when id % 2 = 0 then ${ofRow(amounts, 'bigint')} end, created_at = ${at} where ${mine}`,
    sql`update withdrawal set ${amount}, usdt_minor = ${ofRow(amounts, 'bigint')}, address = ${ofRow(texts(), 'text')},
      usd_minor = case when id % 2 = 0 then 0 end, created_at = ${at} where ${mine}`,
    sql`update settlement set amount_minor = ${ofRow(amounts, 'bigint')}, refunded_minor = id * id * id, created_at = ${at},
      order_count = id % 1000000007, cut_off_at = ${at} where ${mine}`,
  ];
  await product.services.database.asSystem(async (tx) => {
    for (const statement of statements) await statement.execute(tx.query);
  });
}

/** Writes an export; returns its file, its sums, and its rows as the API returns them. */
async function written(
  list: ExportList,
  given: Pick<ExportTask, 'format' | 'language' | 'zone'>,
  of: Exportable,
) {
  const { database } = product.services;
  const filters = await filtersOf(list);
  const columns = exportColumns[list].map(({ key }) => key);
  const task = await database.asMerchant(merchant.id, async (tx) => {
    const number = `E${randomInt(2 ** 40)}`;
    const made = await insertExport(tx, number, {
      ...given,
      list,
      columns,
      filters,
      file_name: 'f',
      created_by: 'user:1',
    });
    return (await moveExport(tx, made, 'exporting')) ?? expect.fail('no export');
  });
  const files = new Map<string, Buffer>();
  const store = {
    put: async (key: string, content: Readable) => void files.set(key, await buffer(content)),
  } as FileStore;
  const lists = { ...exportablesOf(nothingArchived), [list]: of };
  const writing = new ExportWriting({ database, snapshots: new PrimarySnapshots(database), store, lists });
  const result = (await writing.write(task, 'key')) ?? expect.fail('given up');
  await database.asMerchant(merchant.id, async (tx) => moveExport(tx, task, 'failed', { reason: 'fault' }));
  const rows = await database.asMerchant(merchant.id, async (tx) =>
    (await Array.fromAsync(of.read(tx, await readHome(tx), filters, given.language))).flat(),
  );
  const sums: { key: string; amount: string; currency: string }[] = JSON.parse(result.sums);
  return {
    file: files.get('key') ?? expect.fail('no file'),
    rows,
    sums: sums.map(({ key, amount, currency }) => `${key} ${currency} ${amount}`).sort(),
  };
}

async function filtersOf(list: ExportList): Promise<Record<string, string>> {
  if (list === 'dailyReports') return { offset: '+08:00', from: '2026-01-01', to: '2026-12-31' };
  if (list !== 'settlementLines') return {};
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ settlement_no: string }>`select settlement_no from settlement s where id =
      (select min(id) from settlement where merchant_id = ${merchant.id})`.execute(tx.query),
  );
  return { settlement_no: rows[0]?.settlement_no ?? '' };
}

const headingsOf = (columns: readonly ExportColumn[], language: (typeof languages)[number]) =>
  columns.map(({ title }) => translate(language, title));

/** Compares both files of a list with the plain cells of its rows. */
async function compare(list: ExportList, of: Exportable, copies = 1): Promise<void> {
  const columns = exportColumns[list];
  for (const language of languages) {
    const locale = { language, zone: random.pick(zones) };
    const csv = await written(list, { format: 'csv', ...locale }, of);
    const rows = Array.from({ length: copies }, () => csv.rows).flat();
    expect(rows.length).toBeGreaterThanOrEqual(40);
    const cells = rows.map((row) => plainCells(row, columns, locale));
    const headings = headingsOf(columns, language);
    const sums = plainSums(rows, columns);
    const top = plainLine(headings.map((text) => ({ kind: 'text', text })));
    expect(csv.file.toString().split('\r\n'), `seed ${seed}`).toEqual(
      `\uFEFF${top}${cells.map(plainLine).join('')}`.split('\r\n'),
    );
    expect(csv.sums).toEqual(sums);

    const xlsx = await written(list, { format: 'xlsx', ...locale }, of);
    const [sheet, manifest, ...more] = readWorkbook(xlsx.file);
    expect(more).toEqual([]);
    expect(sheet?.name).toBe(translate(language, `exports.lists.${list}`).slice(0, 31));
    expect(sheet?.head).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    );
    expect(sheet?.head).toContain('<sheetFormatPr defaultColWidth="20" defaultRowHeight="15"/>');
    const bold = headings.map((value) => ({ type: 'text', value, format: 'bold' }));
    expect(sheet?.rows, `seed ${seed}`).toEqual([bold, ...cells.map(plainSheetRow)]);
    expect(xlsx.sums).toEqual(sums);
    const stated = manifest?.rows.map((row) => row.map((cell) => cell?.value));
    expect(stated).toContainEqual([translate(language, 'exports.rowCount'), String(rows.length)]);
    expect(manifest?.rows.flat().every((cell) => cell?.type === 'text' && cell.format === '@')).toBe(true);
  }
}

describe('the files of random rows hold the cells of the rows on screen, byte by byte and cell by cell', () => {
  const exportables = exportablesOf(nothingArchived);
  it.each(Object.keys(exportables) as ExportList[])('of %s', (list) => compare(list, exportables[list]));

  it('of entries in the table and in the archive', async () => {
    const { fundFlow } = exportables;
    // The same entries once more, read as the parts of an archive are.
    await compare(
      'fundFlow',
      {
        ...fundFlow,
        copyable: async (...given) => {
          const list = await fundFlow.copyable?.(...given);
          return (
            list && {
              ...list,
              source: { ...list.source, archived: [{ read: async () => list.source.from }] },
            }
          );
        },
      },
      2,
    );
  });
});
