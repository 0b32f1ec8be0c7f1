import { crc32, inflateRawSync } from 'node:zlib';
import { stylesXml } from '#files/xlsx.ts';
import { type PlainSheetCell, xmlText } from './plain-export.ts';

/** A sheet: its cells by row and column; undefined where there is none. */
export interface ReadSheet {
  name: string;
  /** Everything before the rows: panes, widths. */
  head: string;
  rows: (PlainSheetCell | undefined)[][];
}

/**
 * Reads a workbook as its markup says, without interpreting it: whether a cell is text or a number, and its number format. Bold
 * text has the format `bold`. Fails unless each cell stands where its reference says.
 */
export function readWorkbook(file: Buffer): ReadSheet[] {
  const parts = readZip(file);
  const partOf = (path: string) => {
    const content = parts.get(path);
    if (content === undefined) throw new Error(`the workbook has no ${path}`);
    return content;
  };
  const formats = formatsIn(partOf('xl/styles.xml'));
  const targets = new Map(
    allMatches(partOf('xl/_rels/workbook.xml.rels'), /<Relationship Id="(\w+)"[^>]* Target="([^"]+)"/g).map(
      ([, id = '', target = '']) => [id, target],
    ),
  );
  return allMatches(partOf('xl/workbook.xml'), /<sheet name="([^"]*)" sheetId="\d+" r:id="(\w+)"\/>/g).map(
    ([, name = '', id = '']) => {
      const [head = '', data = ''] = partOf(`xl/${targets.get(id)}`).split(/<sheetData>|<\/sheetData>/);
      return { name: decode(name), head, rows: readRowsOfSheet(data, formats) };
    },
  );
}

const allMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)];

/** The number format of each style. */
function formatsIn(styles: string): string[] {
  const own = new Map(
    allMatches(styles, /<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g).map(([, id = '', code = '']) => [
      id,
      code,
    ]),
  );
  const [, cells = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/s.exec(styles) ?? [];
  return allMatches(cells, /<xf numFmtId="(\d+)" fontId="(\d+)"/g).map(([, id = '', font]) => {
    if (font === '1') return 'bold';
    return id === '49' ? '@' : (own.get(id) ?? 'general');
  });
}

/** The number formats of our own styles. */
const ownFormats = formatsIn(stylesXml);

/**
 * Reads the rows of a sheet's markup. Throws unless they are numbered from 1 and each cell stands where its reference says, or
 * if there is anything but rows and cells.
 */
export function readRowsOfSheet(markup: string, formats = ownFormats): (PlainSheetCell | undefined)[][] {
  const rows = allMatches(markup, /<row r="(\d+)">(.*?)<\/row>/gs);
  if (rows.map(([all]) => all).join('') !== markup) throw new Error('there is something between the rows');
  return rows.map(([, number = '', content = ''], index) => {
    if (Number(number) !== index + 1) throw new Error(`row ${number} is at ${index + 1}`);
    return readCells(number, content, formats);
  });
}

function readCells(
  rowNumber: string,
  markup: string,
  formats: readonly string[],
): (PlainSheetCell | undefined)[] {
  const row: (PlainSheetCell | undefined)[] = [];
  const cells = allMatches(markup, /<c r="([A-Z]+)(\d+)" s="(\d+)"( t="inlineStr")?>(.*?)<\/c>/gs);
  if (cells.map(([all]) => all).join('') !== markup) throw new Error('there is something between the cells');
  for (const [, column = '', at, style = '', isText, content = ''] of cells) {
    const place = placeOf(column);
    if (at !== rowNumber || place < row.length) throw new Error(`${column}${at} is in row ${rowNumber}`);
    while (row.length < place) row.push(undefined);
    const format = formats[Number(style)] ?? 'unknown';
    row.push(isText ? textCell(content, format) : numberCell(content, format));
  }
  return row;
}

function textCell(markup: string, format: string): PlainSheetCell {
  const [, space, text] = /^<is><t( xml:space="preserve")?>([^<>"]*)<\/t><\/is>$/.exec(markup) ?? [];
  if (text === undefined || text !== xmlText(text)) throw new Error(`not a text: ${markup}`);
  if (!space && /^\s|\s$/.test(text)) throw new Error(`readers would trim ${markup}`);
  return { type: 'text', value: decode(text), format };
}

function numberCell(markup: string, format: string): PlainSheetCell {
  const [, value] = /^<v>(-?\d+(?:\.\d+)?)<\/v>$/.exec(markup) ?? [];
  if (value === undefined) throw new Error(`not a number: ${markup}`);
  return { type: 'number', value, format };
}

/** A → 0, Z → 25, AA → 26. */
function placeOf(column: string): number {
  return [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Decodes XML's entities, then the escapes of ECMA-376 (ST_Xstring). */
function decode(text: string): string {
  return text
    .replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
    .replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const [directoryEnd, directoryEntry] = [0x06054b50, 0x02014b50];

/** Reads the files of a ZIP archive of less than 4 GiB, by its directory. Throws if a file's checksum differs. */
export function readZip(file: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  const end = file.length - 22;
  if (file.readUInt32LE(end) !== directoryEnd) throw new Error('not a ZIP archive');
  for (let at = file.readUInt32LE(end + 16); file.readUInt32LE(at) === directoryEntry; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) =>
      file.readUInt16LE(at + place),
    );
    const name = file.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const header = file.readUInt32LE(at + 42);
    const from = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
    const content = file.subarray(from, from + file.readUInt32LE(at + 20));
    const text = inflateRawSync(content);
    if (crc32(text) !== file.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`);
    parts.set(name, text.toString('utf8'));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return parts;
}
