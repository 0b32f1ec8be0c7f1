import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** Maximum rows of a sheet in Excel. */
const maxSheetRows = 1_048_576;
/** Excel keeps this many digits of a number. A number with more is stored as text. */
const keptDigits = 15;

/** Styles by their index in `cellXfs` below. */
const style = { bold: 1, text: 2, time: 3, date: 4, whole: 5, cents: 6, millionths: 7 } as const;

/** A cell: a number in plain digits, a local time, a date, or text. Empty if null. */
export interface SheetCell {
  kind: 'text' | 'number' | 'time' | 'date';
  text: string | null;
  /** Decimals to show of a number. */
  scale?: number;
}

export interface Workbook {
  /** Name of the first sheet of rows. Further ones are numbered. */
  sheetName: string;
  headings: readonly string[];
  batches: AsyncIterable<readonly (readonly SheetCell[])[]>;
  /** Builds the sheet after the rows, once they have all been written. */
  lastSheet: () => { name: string; lines: readonly (readonly string[])[] };
}

/** Streams a workbook in flat memory. Rows continue on another sheet when one is full. */
export function xlsxStream(
  { sheetName, headings, batches, lastSheet }: Workbook,
  sheetRows = maxSheetRows,
): Readable {
  const zip = new ZipFile();
  const names: string[] = [];
  const rows = flat(batches);
  const fail = (error: unknown) => void (zip.outputStream as Readable).destroy(error as Error);
  const addSheet = (name: string, xml: AsyncIterable<string> | Iterable<string>) => {
    names.push(name);
    const stream = Readable.from(toBuffers(xml), { objectMode: false });
    stream.on('error', fail);
    zip.addReadStream(stream, `xl/worksheets/sheet${names.length}.xml`);
  };
  const addRows = () => {
    const number = names.length + 1;
    addSheet(number === 1 ? sheetName : `${sheetName} ${number}`, rowsOfSheet());
  };
  async function* rowsOfSheet(): AsyncGenerator<string> {
    yield sheetStart;
    yield rowXml(1, headings, (heading, at) => textXml(heading, style.bold, at));
    for (let at = 2; at <= sheetRows; at++) {
      const next = await rows.next();
      if (next.done) {
        yield sheetEnd;
        finish();
        return;
      }
      yield rowXml(at, next.value, cellXml);
    }
    yield sheetEnd;
    addRows();
  }
  const finish = () => {
    const { name, lines } = lastSheet();
    const xml = lines.map((line, index) =>
      rowXml(index + 1, line, (text, at) => textXml(text, style.text, at)),
    );
    addSheet(name, [sheetStart, ...xml, sheetEnd]);
    for (const [path, content] of partsOf(names)) zip.addBuffer(Buffer.from(content), path);
    zip.end();
  };
  addRows();
  return zip.outputStream as Readable;
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}

const chunkLength = 65_536;

/** Joins pieces of text into buffers of a reasonable size. */
async function* toBuffers(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Formats a row. `xml` receives each cell and its reference, such as "B12". */
function rowXml<T>(row: number, cells: readonly T[], xml: (cell: T, at: string) => string): string {
  return `<row r="${row}">${cells.map((cell, index) => xml(cell, `${columnName(index)}${row}`)).join('')}</row>`;
}

const columnNames: string[] = [];
const letters = 26;

/** A, B … Z, AA, AB … */
function columnName(index: number): string {
  const known = columnNames[index];
  if (known) return known;
  const last = String.fromCharCode(65 + (index % letters));
  const name = index < letters ? last : columnName(Math.floor(index / letters) - 1) + last;
  columnNames[index] = name;
  return name;
}

function cellXml({ kind, text, scale = 0 }: SheetCell, at: string): string {
  if (text === null) return '';
  if (kind === 'time') return numberXml(serialOf(text), style.time, at);
  if (kind === 'date') return numberXml(serialOf(`${text} 00:00:00`), style.date, at);
  if (kind === 'text' || text.replaceAll(/\D/g, '').length > keptDigits) return textXml(text, style.text, at);
  return numberXml(text, scale === 0 ? style.whole : scale === 2 ? style.cents : style.millionths, at);
}

function numberXml(digits: string, format: number, at: string): string {
  return `<c r="${at}" s="${format}"><v>${digits}</v></c>`;
}

const dayMs = 86_400_000;
/** Excel counts days from here, for every day after February 1900. */
const epochMs = Date.UTC(1899, 11, 30);

function serialOf(clock: string): string {
  return String((Date.parse(`${clock.replace(' ', 'T')}Z`) - epochMs) / dayMs);
}

function textXml(text: string, format: number, at: string): string {
  return `<c r="${at}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escapeCell(text)}</t></is></c>`;
}

/** Text that needs no escaping, as most does. */
const plain = /^[\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D\u003F-\uD7FF]*$/;

/** Text that ECMA-376 would read as an escaped character (ST_Xstring): `_x003D_` is `=`. */
const escapeLike = /_(?=x[\dA-Fa-f]{4}_)/g;

/** Escapes a cell's text. A plain carriage return would be read as a line feed. */
function escapeCell(text: string): string {
  const kept = text.includes('_x') ? text.replaceAll(escapeLike, '_x005F_') : text;
  return escapeXml(kept).replaceAll('\r', '_x000D_');
}

/** Escapes text, and removes characters that XML cannot contain. */
function escapeXml(text: string): string {
  if (plain.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const sheetStart = `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="20" defaultRowHeight="15"/><sheetData>`;
const sheetEnd = '</sheetData></worksheet>';

/** Returns the other parts of the package (ECMA-376), once the sheets are known. */
function partsOf(names: readonly string[]): [path: string, content: string][] {
  const sheets = names.map((name, index) => ({ name: sheetNameOf(name), at: index + 1 }));
  const worksheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return [
    [
      '[Content_Types].xml',
      `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${worksheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${worksheet}.styles+xml"/>${sheets.map(({ at }) => `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${worksheet}.worksheet+xml"/>`).join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.map(({ name, at }) => `<sheet name="${escapeXml(name)}" sheetId="${at}" r:id="rId${at}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${packages}/relationships">${sheets.map(({ at }) => `<Relationship Id="rId${at}" Type="${office}/worksheet" Target="worksheets/sheet${at}.xml"/>`).join('')}<Relationship Id="rId${sheets.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', stylesXml],
  ];
}

const longestSheetName = 31;

function sheetNameOf(name: string): string {
  return name.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, longestSheetName);
}

const formats = ['yyyy\\-mm\\-dd\\ hh:mm:ss', 'yyyy\\-mm\\-dd', '#,##0', '#,##0.00', '#,##0.000000'];
const firstFormat = 164;
const stylesXml = `${head}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${firstFormat + index}" formatCode="${code}"/>`).join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length + 3}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>${formats.map((_, index) => `<xf numFmtId="${firstFormat + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`;
