import { buffer } from 'node:stream/consumers';
import readXlsxFile from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { type SheetCell as Cell, xlsxStream } from './xlsx.ts';

const text = (value: string | null): Cell => ({ kind: 'text', text: value });
const number = (digits: string, scale: number): Cell => ({ kind: 'number', text: digits, scale });
async function* of(...batches: Cell[][][]): AsyncGenerator<Cell[][]> {
  yield* batches;
}
const book = (batches: AsyncIterable<Cell[][]>, sheetRows?: number) =>
  xlsxStream(
    {
      sheetName: 'Rows',
      headings: ['a', 'b'],
      batches,
      lastSheet: () => ({ name: 'Manifest', lines: [['rows', '5']] }),
    },
    sheetRows,
  );
const read = async (stream: ReturnType<typeof book>) => readXlsxFile(await buffer(stream));

it('continues on another sheet if one is full, each with the headings', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => [text(`r${index}`), number(String(index), 0)]);
  const sheets = await read(book(of(rows.slice(0, 2), rows.slice(2)), 3));
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
  const sheets = await read(book(of(strange.map((value) => [text(value), text('x\u0000\u000By')]))));
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
  const texts = [...hostile, ...escapes];
  const sheets = await read(book(of(texts.map((value) => [text('.'), text(`.${value}`)]))));
  expect(sheets[0]?.data.slice(1).map(([, value]) => value)).toEqual(texts.map((value) => `.${value}`));
  const alone = await read(book(of(hostile.map((value) => [text('.'), text(value)]))));
  expect(alone[0]?.data.slice(1).map(([, value]) => value)).toEqual(hostile.map((value) => value.trim()));
});

it('keeps every digit: a number with more than Excel keeps is stored as text', async () => {
  const cells = [
    number('123456789012.34', 2),
    number('123456789012.345678', 6),
    number('-0.01', 2),
    text(null),
  ];
  const sheets = await read(book(of(cells.map((cell) => [cell, text('.')]))));
  expect(sheets[0]?.data.slice(1).map(([value]) => value)).toEqual([
    123456789012.34,
    '123456789012.345678',
    -0.01,
    null,
  ]);
});

it('fails if the list fails midway', async () => {
  async function* broken(): AsyncGenerator<Cell[][]> {
    yield [[text('a'), text('b')]];
    throw new Error('gone');
  }
  await expect(buffer(book(broken()))).rejects.toThrow('gone');
});
