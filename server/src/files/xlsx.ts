import { Readable } from 'node:stream';
import { type RowBatch, rowOfTexts } from './row-format.rules.ts';
import { escapeXml, SheetRows, style } from './xlsx-cells.rules.ts';
import { type ZipEntry, zipOf } from './zip.ts';

export interface Workbook {
  /** Name of the first sheet of rows. Further ones are numbered. */
  sheetName: string;
  headings: readonly string[];
  /** Rows, as {@link SheetRows} writes them. */
  batches: AsyncIterable<RowBatch>;
  /** Builds the sheet after the rows, once they have all been written. */
  lastSheet: () => { name: string; lines: readonly (readonly string[])[] };
}

/** Streams a workbook in flat memory. Rows continue on another sheet when one is full. */
export function xlsxStream(workbook: Workbook): Readable {
  return Readable.from(zipOf(entriesOf(workbook)), { objectMode: false });
}

async function* entriesOf({ sheetName, headings, batches, lastSheet }: Workbook): AsyncGenerator<ZipEntry> {
  const names: string[] = [];
  const sheet = (name: string, content: ZipEntry['content']): ZipEntry => {
    names.push(name);
    return { path: `xl/worksheets/sheet${names.length}.xml`, content };
  };
  const rows = splitAtParts(batches);
  let isFull = true;
  async function* rowsOfSheet(): AsyncGenerator<Buffer> {
    yield sheetStart;
    yield rowOfTexts(new SheetRows({ firstRow: 1, textStyle: style.bold }), 0, headings);
    isFull = false;
    for (let next = await rows.next(); !next.done && !isFull; ) {
      if (next.value === partEnd) isFull = true;
      else yield next.value;
      if (!isFull) next = await rows.next();
    }
    yield sheetEnd;
  }
  try {
    while (isFull) {
      const number = names.length + 1;
      yield sheet(number === 1 ? sheetName : `${sheetName} ${number}`, rowsOfSheet());
    }
  } finally {
    // Stops reading the list if nobody reads the workbook any more.
    await rows.return(undefined);
  }
  const { name, lines } = lastSheet();
  const format = new SheetRows({ firstRow: 1 });
  yield sheet(name, [sheetStart, ...lines.map((line, row) => rowOfTexts(format, row, line)), sheetEnd]);
  for (const [path, content] of partsOf(names)) yield { path, content: [Buffer.from(content)] };
}

/** Stands between the rows of two sheets. */
const partEnd = Symbol('the end of a part');

/** Splits batches where a part of the file is full. */
async function* splitAtParts(
  batches: AsyncIterable<RowBatch>,
): AsyncGenerator<Buffer | typeof partEnd, undefined> {
  for await (const { bytes, partEnds, release } of batches) {
    let from = 0;
    for (const end of partEnds) {
      yield bytes.subarray(from, end);
      yield partEnd;
      from = end;
    }
    if (from < bytes.length) yield bytes.subarray(from);
    release();
  }
  return undefined;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const sheetStart = Buffer.from(
  `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="20" defaultRowHeight="15"/><sheetData>`,
);
const sheetEnd = Buffer.from('</sheetData></worksheet>');

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
/** The workbook's styles, by the indices in {@link style}. */
export const stylesXml = `${head}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${firstFormat + index}" formatCode="${code}"/>`).join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length + 3}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>${formats.map((_, index) => `<xf numFmtId="${firstFormat + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`;
