import type { BatchHeading } from '@hengfu/contract/batch-headings';
import type { ChannelCode } from '@hengfu/contract/channels';
import { type BatchField, maxBatchRows } from '@hengfu/contract/payout-batch-rows';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { languages, translatorOf } from '@hengfu/ui/language/i18n.ts';
import { readTable, type Table } from './batch-file.rules.ts';

const maxFileBytes = 10 * 1024 * 1024;
/** Ten thousand rows take about five million; a file that unpacks to more than this is a ZIP bomb. */
const maxUnpackedBytes = 100 * 1024 * 1024;
/** Significant digits of a number that a spreadsheet keeps. */
const keptDigits = 15;

/** The rows of a file, or why it could not be read. */
export type ReadFile = Table | { refusal: PhraseKey; values?: Record<string, number> };

/** Reads a CSV or XLSX file; `remembered` are the merchant's own headings. */
export async function readFile(
  file: File,
  channel: ChannelCode,
  remembered: readonly BatchHeading[] = [],
): Promise<ReadFile> {
  if (file.size > maxFileBytes) return { refusal: 'payoutBatches.tooLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let cells: string[][];
  try {
    // An XLSX file is a ZIP archive, whatever it is called.
    cells = bytes[0] === 0x50 && bytes[1] === 0x4b ? await readXlsx(bytes) : await readCsv(bytes);
  } catch {
    return { refusal: 'payoutBatches.unreadable' };
  }
  const translators = await Promise.all(languages.map(translatorOf));
  const headingsOf = (field: BatchField) => translators.map((t) => t(`payoutBatches.column.${field}`));
  const table = readTable(cells, channel, headingsOf, remembered);
  if (!table) return { refusal: 'payoutBatches.noHeadings' };
  const { length: count } = table.rows;
  if (count === 0) return { refusal: 'payoutBatches.noRows' };
  if (count > maxBatchRows)
    return { refusal: 'payoutBatches.tooManyRows', values: { count, max: maxBatchRows } };
  return table;
}

async function readXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  const [{ readSheet }, { unzipSync, zipSync }] = await Promise.all([
    import('read-excel-file/universal'),
    import('fflate'),
  ]);
  let unpackedBytes = 0;
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.(xml|rels)$/i.test(name)) return false;
      unpackedBytes += originalSize;
      if (unpackedBytes > maxUnpackedBytes) throw new Error('the file unpacks to more than any table holds');
      return true;
    },
  });
  // The library unpacks large compressed parts in a worker made from a blob. The content security policy
  // forbids that, and the library would wait forever. It reads uncompressed parts without a worker.
  const plain = zipSync(files, { level: 0 });
  // Reads numbers as the file stores them, because a float would lose digits.
  const sheet = await readSheet(plain.buffer, { parseNumber: numberText, trim: true });
  return sheet.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
}

/** Formats a number as the spreadsheet shows it; with an exponent if it has lost some of its digits. */
function numberText(stored: string): string {
  const value = Number(stored);
  if (Number.isInteger(value) && Math.abs(value) >= 10 ** keptDigits)
    return value.toExponential().toUpperCase();
  return String(Number(value.toPrecision(keptDigits)));
}

async function readCsv(bytes: Uint8Array): Promise<string[][]> {
  const text = decode(bytes).replace(/^sep=.\r?\n/i, '');
  // Another kind of file, such as an image.
  if (text.includes('\0')) throw new Error('not a text file');
  const { default: papa } = await import('papaparse');
  return papa.parse<string[]>(text, { skipEmptyLines: 'greedy' }).data;
}

/** Decodes UTF-16 with a byte order mark, UTF-8, or else GB 18030, which Excel writes in China. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030', { fatal: true }).decode(bytes);
  }
}
