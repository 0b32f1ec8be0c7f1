import type { ChannelCode } from '@hengfu/contract/channels';
import { type BatchRow, maxBatchRows } from '@hengfu/contract/payout-batch-rows';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { languages, translatorOf } from '../../../platform/i18n.ts';
import { readTable } from './batch-file.rules.ts';

const maxFileBytes = 10 * 1024 * 1024;
/** Ten thousand rows take some five million; a small file that holds more than this was made to fill the memory. */
const maxUnpackedBytes = 100 * 1024 * 1024;
/** Digits that a spreadsheet keeps of a number. */
const keptDigits = 15;

/** A file that was read, or why it was not. */
export type ReadFile =
  | { rows: BatchRow[]; ignored: string[] }
  | { refusal: PhraseKey; values?: Record<string, number> };

/** Reads a CSV or XLSX file. */
export async function readFile(file: File, channel: ChannelCode): Promise<ReadFile> {
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
  const table = readTable(cells, channel, (field) =>
    translators.map((t) => t(`payoutBatches.column.${field}`)),
  );
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
      if (unpackedBytes > maxUnpackedBytes) throw new Error('more than any table holds');
      return true;
    },
  });
  // Large parts that are pressed would be unpacked by a worker made from a blob. The page's policy forbids it, and the
  // library would wait for it for ever; what is not pressed it reads by itself.
  const plain = zipSync(files, { level: 0 });
  // Numbers as they stand in the file: a float would say less of them than there is.
  const sheet = await readSheet(plain.buffer, { parseNumber: numberText, trim: true });
  return sheet.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
}

/** A number of a sheet as a person sees it there; with an exponent where the sheet has no more of its digits. */
function numberText(stored: string): string {
  const value = Number(stored);
  if (Number.isInteger(value) && Math.abs(value) >= 10 ** keptDigits)
    return value.toExponential().toUpperCase();
  return String(Number(value.toPrecision(keptDigits)));
}

async function readCsv(bytes: Uint8Array): Promise<string[][]> {
  const text = decode(bytes).replace(/^sep=.\r?\n/i, '');
  // Bytes of another kind of file, a picture say.
  if (text.includes('\0')) throw new Error('no text');
  const { default: papa } = await import('papaparse');
  return papa.parse<string[]>(text, { skipEmptyLines: 'greedy' }).data;
}

/** UTF-8; else UTF-16 where it says so; else GB 18030, as Excel writes in China. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030', { fatal: true }).decode(bytes);
  }
}
