import type { ExportColumn } from '@hengfu/contract/export-columns';
import fc from 'fast-check';
import papa from 'papaparse';
import { expect, it } from 'vitest';
import { csvRows, isPlainStart } from '#files/csv-cells.rules.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { type PlainCell, plainLine } from '../../testing/plain-export.ts';
import { isFormula, readAsSpreadsheet } from '../../testing/spreadsheet.ts';
import { RowBytes } from './row-bytes.rules.ts';
import { Sums } from './sums.rules.ts';

const title = 'exports.title';
const columnKinds = { text: 'text', amount: 'money' } as const;

/** Texts with characters that readers split at, drop or execute, and harmless ones between them. */
const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...`=+-@＝＋－＠;,"' \t\r\n\u200b\u00a0\u2212\\|ax1`), maxLength: 10 }),
  fc.constantFrom('007', '622202123456', '62220212345', '12E34', '12e-3', '1 2', '12A', '007\u00e9', '12\\'),
  fc.constantFrom('=1', '＝1', '⩵1', '\t=1', '\r1', "x';=1", 'x;"=1', 'x\n=1', 'x;', ';', '"', '1+1'),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...`00112233445566778899E０'" \t;\u00a0`), maxLength: 18 }),
);

/** A table: the kinds of its columns, and rows of texts and of amounts in cents, which may be negative. */
const table = fc.array(fc.constantFrom('text', 'amount'), { minLength: 1, maxLength: 4 }).chain((kinds) =>
  fc.record({
    kinds: fc.constant(kinds),
    rows: fc.array(
      fc.tuple(
        ...kinds.map((kind) =>
          kind === 'text'
            ? hostile.map((text) => text.replaceAll('\0', '').toWellFormed())
            : fc.integer({ min: -100_000, max: 100_000 }).map(String),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

const decimal = (cents: string) =>
  cents.replace(/^(-?)(\d+)$/, (_, sign, digits) => {
    const long = digits.padStart(3, '0');
    return `${sign}${long.slice(0, -2)}.${long.slice(-2)}`;
  });

/** A text as COPY writes it. */
const copied = (text: string) =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\b', '\\b')
    .replaceAll('\f', '\\f')
    .replaceAll('\v', '\\v');

interface Table {
  kinds: readonly (keyof typeof columnKinds)[];
  rows: readonly (readonly string[])[];
}

/** Writes the table as an export does: from cells, and from the bytes that COPY sends. */
function filesOf({ kinds, rows }: Table): [ofCells: string, ofBytes: string] {
  const columns = kinds.map((kind, at): ExportColumn => ({ key: `c${at}`, kind: columnKinds[kind], title }));
  const toCell = (value: string, at: number): PlainCell | undefined => {
    if (kinds[at] === 'amount') return { kind: 'number', text: decimal(value) };
    return value === '' ? undefined : { kind: 'text', text: value };
  };
  const lines = new RowBytes(csvRows, columns, () => undefined, new Sums());
  for (const row of rows) lines.add(Buffer.from(`${['CNY', ...row.map(copied)].join('\t')}\n`));
  return [rows.map((row) => plainLine(row.map(toCell))).join(''), lines.take().bytes.toString()];
}

/** A negative amount at the start of a row, with the rest of the row if the separator is another. */
const amountFirst = /^-\d+\.\d\d($|,$|,["\d,-])/;

it.each([',', ';'] as const)(
  'no text becomes a formula in a spreadsheet with the separator %s',
  (separator) => {
    fc.assert(
      fc.property(table, (given) => {
        const [ofCells, ofBytes] = filesOf(given);
        expect(ofBytes).toBe(ofCells);
        const cells = readAsSpreadsheet(ofCells, separator).flat();
        expect(cells.filter((cell) => isFormula(cell) && !amountFirst.test(cell))).toEqual([]);
        const byLibrary = papa.parse<string[]>(ofCells, { delimiter: separator }).data.flat();
        expect(byLibrary.filter((cell) => isFormula(cell) && !amountFirst.test(cell))).toEqual([]);
      }),
      { numRuns: isFullRun ? 5000 : 1500 },
    );
  },
);

it('a reader with the right separator finds every row, every text, and plain numeric amounts', () => {
  fc.assert(
    fc.property(table, (given) => {
      const [file] = filesOf(given);
      const found = readAsSpreadsheet(file, ',').slice(0, -1);
      expect(papa.parse(file, { delimiter: ',', newline: '\r\n' }).data.slice(0, -1)).toEqual(found);
      expect(
        found.map((row) =>
          row.map((cell, at) => (given.kinds[at] === 'text' ? cell.replaceAll("'", '') : cell)),
        ),
      ).toEqual(
        given.rows.map((row) =>
          row.map((value, at) => (given.kinds[at] === 'text' ? value.replaceAll("'", '') : decimal(value))),
        ),
      );
    }),
    { numRuns: isFullRun ? 1000 : 300 },
  );
});

it('no character that needs escaping begins with a byte that is copied unescaped', () => {
  const needsEscaping = (character: string) =>
    isFormula(`${character}=1`) || isFormula(character) || /[;"'\\\t\r\n]/.test(character);
  const unsafe = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => needsEscaping(character) && isPlainStart(Buffer.from(character)[0] as number));
  expect(unsafe).toEqual([]);
});
