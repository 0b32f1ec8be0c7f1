import { type ChannelCode, channelCodes } from '@hengfu/contract/channels';
import { csvText, withoutMarks } from '@hengfu/contract/csv';
import {
  type BatchField,
  type BatchRow,
  batchFieldsOf,
  maxBatchRows,
} from '@hengfu/contract/payout-batch-rows';
import { languages, translatorOf } from '@hengfu/ui/language/i18n.ts';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import i18next from 'i18next';
import papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/universal';
import { normalizeRow } from './batch-file.rules.ts';
import { readFile } from './batch-file.ts';
import { csvTemplate, xlsxTemplate } from './batch-template.ts';

const fileOf = (bytes: Uint8Array | string | Blob, name = 'rows') => new File([bytes as BlobPart], name);
// As the console initializes it, except that there is no page whose language it sets.
await i18next.init({
  lng: 'en',
  load: 'currentOnly',
  lowerCaseLng: true,
  interpolation: { escapeValue: false },
});
const translators = await Promise.all(languages.map(translatorOf));
const channel = fc.constantFrom(...channelCodes);
const xlsx = new Uint8Array(
  await (
    await sheet([
      ['Payee', 'Amount'],
      ['王芳', '1.00'],
    ])
  ).arrayBuffer(),
);

/** Builds a sheet of text cells. */
function sheet(cells: readonly (readonly string[])[]): Promise<Blob> {
  const rows = cells.map((line) => line.map((value) => ({ value, type: String, format: '@' })));
  return writeXlsxFile(rows).toBlob();
}

/**
 * Cell texts, usual and odd. Leaves out what the library that writes sheets loses: names of JavaScript's own
 * properties (`valueOf`) and the replacement character. The console writes only its own texts with it.
 */
const cell = fc.oneof(
  fc.constantFrom(
    '',
    '王芳',
    'Nguyễn Văn A',
    '6222021234567890128',
    '007',
    '1,234.50',
    '=1+1',
    '"a", b',
    "'x",
    '; -- ',
    '1e5',
    "x';=1",
    '＝1',
    '-1',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !(text in {}) && !text.includes('\uFFFD')),
);

/** Non-empty rows of a channel, with headings in one of the languages. */
const table = fc.tuple(channel, fc.nat(translators.length - 1)).chain(([of, language]) => {
  const fields = batchFieldsOf(of);
  const line = fc
    .tuple(...fields.map(() => cell))
    .filter((cells) => cells.some((text) => text.trim() !== ''));
  const t = translators[language];
  const headings = fields.map((field) => t?.(`payoutBatches.column.${field}`) ?? field);
  return fc.record({
    of: fc.constant(of),
    fields: fc.constant(fields),
    headings: fc.constant(headings),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  });
});

/** The row that `readFile` should return for a line. */
function expected(
  of: ChannelCode,
  fields: readonly BatchField[],
  line: readonly string[],
  plain: (text: string) => string,
): BatchRow {
  return normalizeRow(
    Object.fromEntries(fields.map((field, index) => [field, plain(line[index] ?? '').trim()])),
    of,
  );
}

describe('any file', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
    // The first bytes of a ZIP archive followed by random ones; a sheet truncated or corrupted.
    fc.uint8Array({ maxLength: 300 }).map((rest) => Uint8Array.from([0x50, 0x4b, 3, 4, ...rest])),
    fc.nat(xlsx.length).map((length) => xlsx.slice(0, length)),
    fc
      .array(fc.tuple(fc.nat(xlsx.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const corrupted = xlsx.slice();
        for (const [at, byte] of changes) corrupted[at] = byte;
        return corrupted;
      }),
  );

  it('is read, or refused with a phrase', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, channel, async (content, of) => {
        const read = await readFile(fileOf(content), of);
        if ('refusal' in read) {
          expect(read.refusal).toMatch(/^payoutBatches\./);
          return;
        }
        expect(read.rows.length).toBeGreaterThan(0);
        expect(read.rows.length).toBeLessThanOrEqual(maxBatchRows);
        for (const text of read.rows.flatMap((row) => Object.values(row))) expect(typeof text).toBe('string');
      }),
      { numRuns: 400, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: true },
    );
  });
});

it('refuses a small file that would unpack to more than any table holds', async () => {
  const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(101 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  expect(await readFile(fileOf(bomb), 'CN_BANK')).toEqual({ refusal: 'payoutBatches.unreadable' });
});

describe('rows below a template’s headings are read back as written', () => {
  it('from CSV', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ of, fields, headings, lines }) => {
        const text = papa.unparse([headings, ...lines], { newline: '\r\n' });
        const read = await readFile(fileOf(`\uFEFF${text}`), of);
        expect(read).toEqual({
          rows: lines.map((line) => expected(of, fields, line, withoutMarks)),
          named: fields,
          columns: [],
        });
      }),
    );
  });

  it('from CSV as the product writes it, with formulas marked as text', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ of, fields, headings, lines }) => {
        const text = [headings, ...lines].map((line) => `${line.map(csvText).join(',')}\r\n`).join('');
        const read = await readFile(fileOf(`\uFEFF${text}`), of);
        expect(read).toEqual({
          rows: lines.map((line) => expected(of, fields, line, (plain) => plain)),
          named: fields,
          columns: [],
        });
      }),
    );
  });

  it('from XLSX', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ of, fields, headings, lines }) => {
        const read = await readFile(fileOf(await sheet([headings, ...lines])), of);
        expect(read).toEqual({
          rows: lines.map((line) => expected(of, fields, line, (text) => withoutMarks(text.trim()))),
          named: fields,
          columns: [],
        });
      }),
      { numRuns: 20 },
    );
  });
});

describe('the template', () => {
  it.each(channelCodes)('of %s has known headings and no rows in every language', async (of) => {
    for (const t of translators) {
      for (const template of [csvTemplate(of, t), await xlsxTemplate(of, t)])
        expect(await readFile(fileOf(template), of)).toEqual({ refusal: 'payoutBatches.noRows' });
    }
  });
});
