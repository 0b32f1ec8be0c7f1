import { gzipSync } from 'node:zlib';
import type { CsvColumns } from '@hengfu/contract/staff/statement-mapping';
import { expect, test } from 'vitest';
import { daysOf, previewOf } from './csv-preview.ts';
import { guessAmountForm, guessColumns } from './guess-columns.ts';

const columns: CsvColumns = {
  delimiter: 'comma',
  encoding: 'utf-8',
  headingRow: 1,
  decimalMark: 'point',
  dateOrder: 'ymd',
  amountForm: 'signed',
  reference: 'Order',
  amount: 'Amount',
  credit: '',
  debit: '',
  direction: '',
  creditWord: '',
  date: 'Date',
  bankReference: '',
  text: '',
};
/** More lines than either end of a file that is read, all of one day but the last one. */
const longText = [
  'Date,Order,Amount',
  ...Array.from({ length: 9000 }, (_, at) => `2026-03-01,C${at},1.00`),
  '2026-03-02T00:10:00Z,last,1.00',
  '',
].join('\n');

test.each([
  ['plain', (text: string) => new File([text], 'statement.csv')],
  ['packed', (text: string) => new File([gzipSync(text)], 'statement.csv.gz')],
])('a %s file is read at its start and at its end', async (_, fileOf) => {
  const file = fileOf(longText);
  expect(await previewOf(file, columns)).toEqual({
    headings: ['Date', 'Order', 'Amount'],
    rows: [0, 1, 2, 3].map((at) => ['2026-03-01', `C${at}`, '1.00']),
  });
  expect(await daysOf(file, columns)).toEqual(['2026-03-01', '2026-03-02']);
});

test('a file without dates, with other headings, or in another encoding names no day', async () => {
  const file = new File([longText], 'statement.csv');
  expect(await daysOf(file, { ...columns, date: '' })).toEqual([]);
  expect(await daysOf(file, { ...columns, date: 'Booked' })).toEqual([]);
  const foreign = new File([new Uint8Array([0xff, 0xfe, 10, 0x80])], 'statement.csv');
  expect(await daysOf(foreign, columns)).toEqual([]);
  expect(await previewOf(foreign, columns)).toBeUndefined();
});

test.each([
  [
    'Booked at,Order number,Bank number,Amount,Text',
    {
      date: 'Booked at',
      reference: 'Order number',
      bankReference: 'Bank number',
      amount: 'Amount',
      text: 'Text',
    },
    'signed',
  ],
  [
    '交易日期,商户订单号,银行流水号,收入,支出,摘要',
    {
      date: '交易日期',
      reference: '商户订单号',
      bankReference: '银行流水号',
      credit: '收入',
      debit: '支出',
      text: '摘要',
    },
    'twoColumns',
  ],
  [
    'Ngày,Mã đơn,Số tiền,D/C',
    { date: 'Ngày', reference: 'Mã đơn', amount: 'Số tiền', direction: 'D/C' },
    'marked',
  ],
  ['a,b', {}, 'signed'],
])('the headings %s propose the columns', (headings, expected, amountForm) => {
  const guessed = guessColumns(headings.split(','));
  expect(guessed).toEqual(expected);
  expect(guessAmountForm(guessed)).toBe(amountForm);
});
