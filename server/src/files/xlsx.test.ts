import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import readXlsxFile from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { readWorkbook } from '../testing/workbook.ts';
import type { CellFormat, RowBatch } from './row-format.rules.ts';
import { xlsxStream } from './xlsx.ts';
import { SheetRows } from './xlsx-cells.rules.ts';

/** Writes a cell; null leaves it empty. */
type Cell = ((to: CellFormat, out: Buffer, at: number) => number) | null;

const text = (value: string | null): Cell => {
  if (value === null) return null;
  const bytes = Buffer.from(value);
  return (to, out, at) => to.text(bytes, 0, bytes.length, out, at);
};
/** A number in units of its last decimal. */
const number = (digits: string, scale: number): Cell => {
  const bytes = Buffer.from(digits);
  return (to, out, at) => to.number(bytes, 0, bytes.length, out, at, scale);
};
const time = (value: string): Cell => {
  const bytes = Buffer.from(value);
  return (to, out, at) => to[value.includes(' ') ? 'time' : 'date'](bytes, 0, bytes.length, out, at);
};

/** Writes batches of rows, on sheets of `sheetRows`. */
async function* of(batches: Cell[][][], sheetRows?: number): AsyncGenerator<RowBatch> {
  const format = new SheetRows(sheetRows === undefined ? {} : { sheetRows });
  let rowOfPart = 0;
  for (const rows of batches) {
    const out = Buffer.alloc(100_000);
    const partEnds: number[] = [];
    let at = 0;
    for (const cells of rows) {
      at = format.startRow(rowOfPart, out, at);
      for (const [column, cell] of cells.entries()) if (cell) at = cell(format.cellsOf(column), out, at);
      at = format.endRow(out, at);
      rowOfPart = (rowOfPart + 1) % format.partRows;
      if (rowOfPart === 0) partEnds.push(at);
    }
    const release = () => void out.fill(0);
    yield { length: rows.length, bytes: out.subarray(0, at), partEnds, release };
  }
}
const bookOf = (batches: AsyncIterable<RowBatch>) =>
  xlsxStream({
    sheetName: 'Rows',
    headings: ['a', 'b'],
    batches,
    lastSheet: () => ({ name: 'Manifest', lines: [['rows', '5']] }),
  });
const book = (...batches: Cell[][][]) => bookOf(of(batches));
const read = async (stream: ReturnType<typeof bookOf>) => readXlsxFile(await buffer(stream));

it('continues on another sheet if one is full, each with the headings', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => [text(`r${index}`), number(String(index), 0)]);
  const sheets = await read(bookOf(of([rows.slice(0, 2), rows.slice(2)], 3)));
  expect(sheets.map(({ sheet, data }) => [sheet, data])).toEqual([
    [
      'Rows',
      [
        ['a', 'b'],
        ['r0', 0],
        ['r1', 1],
      ],
    ],
    [
      'Rows 2',
      [
        ['a', 'b'],
        ['r2', 2],
        ['r3', 3],
      ],
    ],
    [
      'Rows 3',
      [
        ['a', 'b'],
        ['r4', 4],
      ],
    ],
    ['Manifest', [['rows', '5']]],
  ]);
});

it('preserves text of any kind, except characters that XML cannot contain', async () => {
  const strange = ['<a & "b">', ' spaces ', 'two\nlines', '=1+1', '表格 😀', '0012'];
  const sheets = await read(book(strange.map((value) => [text(value), text('x\u0000\u000By')])));
  expect(sheets[0]?.data.slice(1)).toEqual(strange.map((value) => [value.trim(), 'xy']));
});

it('preserves text that a spreadsheet would interpret in other file formats', async () => {
  const hostile = [
    '=1+1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '-1',
    '@x',
    "x';=1",
    '0012',
    '1e5',
    '\u202E=1',
    '\u0085=1',
  ];
  const escapes = ['_x003D_1', '_X003D_1', '__x000D_', '_x005F_x003D_', '_x', 'a\r\nb', 'c\rd'];
  const joined = await read(book([[text('_\uFFFEx0041_')]]));
  expect(joined[0]?.data[1]).toEqual(['_x0041_', null]);
  const texts = [...hostile, ...escapes];
  const sheets = await read(book(texts.map((value) => [text('.'), text(`.${value}`)])));
  expect(sheets[0]?.data.slice(1).map(([, value]) => value)).toEqual(texts.map((value) => `.${value}`));
  const alone = await read(book(hostile.map((value) => [text('.'), text(value)])));
  expect(alone[0]?.data.slice(1).map(([, value]) => value)).toEqual(hostile.map((value) => value.trim()));
});

it('keeps every digit: a number with more than Excel keeps is stored as text', async () => {
  const cells = [number('12345678901234', 2), number('123456789012345678', 6), number('-1', 2), text(null)];
  const sheets = await read(book(cells.map((cell) => [cell, text('.')])));
  expect(sheets[0]?.data.slice(1).map(([value]) => value)).toEqual([
    123456789012.34,
    '123456789012.345678',
    -0.01,
    null,
  ]);
});

it('fails if the list fails midway', async () => {
  async function* broken(): AsyncGenerator<RowBatch> {
    yield* of([[[text('a'), text('b')]]]);
    throw new Error('gone');
  }
  await expect(buffer(bookOf(broken()))).rejects.toThrow('gone');
});

it('stops reading the list if nobody reads the workbook any more', async () => {
  const stopped = Promise.withResolvers<string>();
  async function* endless(): AsyncGenerator<RowBatch> {
    try {
      for (;;) yield* of([[[text(randomBytes(20_000).toString('hex'))]]]);
    } finally {
      stopped.resolve('stopped');
    }
  }
  const stream = bookOf(endless());
  let pieces = 0;
  for await (const _ of stream) if (++pieces === 3) break;
  expect(await stopped.promise).toBe('stopped');
});

it('shows times and dates as Excel counts them, in days', async () => {
  // The number that Excel stores is the quotient's nearest double, and no other.
  const known = [
    ['1900-03-01', '61'],
    ['2026-11-23', '46349'],
    ['1900-03-01 00:00:00', '61'],
    ['2026-11-23 12:00:00', '46349.5'],
    ['2026-11-23 09:30:01', String((46349 * 86_400 + 34_201) / 86_400)],
    ['2099-12-31 23:59:59', String((73_050 * 86_400 + 86_399) / 86_400)],
  ] as const;
  const [sheet] = readWorkbook(await buffer(book(known.map(([clock]) => [time(clock)]))));
  expect(sheet?.rows.slice(1).map(([cell]) => cell)).toEqual(
    known.map(([clock, value]) => ({
      type: 'number',
      value,
      format: clock.includes(' ') ? 'yyyy\\-mm\\-dd\\ hh:mm:ss' : 'yyyy\\-mm\\-dd',
    })),
  );
});
