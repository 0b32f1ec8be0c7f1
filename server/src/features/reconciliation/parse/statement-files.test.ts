import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { CsvColumns } from '@hengfu/contract/staff/statement-mapping';
import { parseStatementDay } from '@hengfu/contract/staff/statement-mapping';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainColumns } from '../../../testing/statement-desk.ts';
import { type ParsedLine, parseStatementAmount, UnreadableStatement } from './line-fields.rules.ts';
import { readCamt } from './read-camt.ts';
import { readCsv } from './read-csv.ts';
import { unpacked } from './statement-text.ts';

const columns = plainColumns;
const headings = 'number,amount,date,bank,text\n';

/** Cuts a file into chunks of a few bytes, so that every token is split somewhere. */
async function* chunksOf(file: string | Buffer, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads all lines, or the fault and its line. */
async function linesOf(portions: AsyncGenerator<ParsedLine[], unknown>): Promise<ParsedLine[] | string> {
  const lines: ParsedLine[] = [];
  try {
    for await (const portion of portions) lines.push(...portion);
    return lines;
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error;
    return `${error.fault} ${error.line}`;
  }
}
const csv = (text: string | Buffer, more: Partial<CsvColumns> = {}, size?: number) =>
  linesOf(readCsv(chunksOf(text, size), { ...columns, ...more }, 'CNY'));
const camt = (text: string | Buffer, size?: number) =>
  linesOf(readCamt(chunksOf(text, size), { currency: 'CNY', day: '2026-11-24' }));

describe('amounts and dates', () => {
  it.each([
    ['1234.56', 123456n],
    ['1,234.56', 123456n],
    ['1 234.5', 123450n],
    ['-0.01', -1n],
    ['−0.01', -1n],
    ['+7', 700n],
    ['(7.00)', -700n],
    ['007.5', 750n],
    ['1.50000', 150n],
    ['1.505', undefined],
    ['12,34.56', undefined],
    ['1.234,56', undefined],
    ['(-7)', undefined],
    ['--7', undefined],
    ['', undefined],
    ['1e3', undefined],
    ['NaN', undefined],
    ['1234567890123', undefined],
    ['１２', undefined],
  ])('reads %s', (text, minor) => {
    expect(parseStatementAmount(text, 'CNY')).toBe(minor);
  });

  it('reads decimal commas, and currencies without decimals', () => {
    expect(parseStatementAmount('1.234,56', 'BRL', 'comma')).toBe(123456n);
    expect(parseStatementAmount('1,234.56', 'BRL', 'comma')).toBeUndefined();
    expect(parseStatementAmount('250000.00', 'VND')).toBe(250000n);
    expect(parseStatementAmount('250000.50', 'VND')).toBeUndefined();
  });

  it.each([
    ['2026-11-24', 'ymd', '2026-11-24'],
    ['20261124', 'ymd', '2026-11-24'],
    ['20261124235959', 'ymd', '2026-11-24'],
    ['2026/1/4 12:00', 'ymd', '2026-01-04'],
    ['24.11.2026', 'dmy', '2026-11-24'],
    ['11/24/2026', 'mdy', '2026-11-24'],
    ['24/11/2026', 'mdy', undefined],
    ['2026-02-30', 'ymd', undefined],
    ['24-11-26', 'dmy', undefined],
    ['', 'ymd', undefined],
  ] as const)('reads the day %s as %s', (text, order, day) => {
    expect(parseStatementDay(text, order)).toBe(day);
  });
});

const line = (lineNo: number, reference: string, amountMinor: bigint, more: Partial<ParsedLine> = {}) => ({
  lineNo,
  reference,
  amountMinor,
  valueDay: '2026-11-24',
  bankReference: '',
  text: '',
  ...more,
});

describe('CSV files', () => {
  it('are read whatever their line ends, quotes and byte order mark are', async () => {
    const rows =
      'C1,100.00,2026-11-24,B1,"one, two"\r\nC2,-5,2026-11-24,B2,"a ""quoted""\nline"\r\n\r\nC3,1,,,';
    expect(await csv(`\ufeff${headings.replace('\n', '\r\n')}${rows}`)).toEqual([
      line(2, 'C1', 10000n, { bankReference: 'B1', text: 'one, two' }),
      line(3, 'C2', -500n, { bankReference: 'B2', text: 'a "quoted"\nline' }),
      line(5, 'C3', 100n, { valueDay: null }),
    ]);
  });

  it('are read in the encoding of their channel, or of their byte order mark', async () => {
    const text = `${headings}C1,1,2026-11-24,,收款\n`;
    const gbk = Buffer.concat([
      Buffer.from(`${headings}C1,1,2026-11-24,,`),
      Buffer.from([0xca, 0xd5, 0xbf, 0xee]),
    ]);
    const expected = [line(2, 'C1', 100n, { text: '收款' })];
    expect(await csv(gbk, { encoding: 'gb18030' })).toEqual(expected);
    expect(await csv(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]))).toEqual(
      expected,
    );
    expect(await csv(gbk)).toBe('encoding 0');
    expect(await csv(`${headings}C1,1,2026-11-24,,a\0b`)).toBe('encoding 0');
  });

  it('may state amounts in two columns, or beside a direction', async () => {
    const two = {
      amountForm: 'twoColumns',
      amount: '',
      credit: 'in',
      debit: 'out',
      date: '',
      bankReference: '',
      text: '',
    } as const;
    const rows = 'number,in,out\nC1,5.00,\nC2,0.00,7\nC3,,-7\n';
    const read = await csv(rows, two);
    expect(Array.isArray(read) && read.map(({ amountMinor }) => amountMinor)).toEqual([500n, -700n, -700n]);
    expect(await csv('number,in,out\nC1,5,7\n', two)).toBe('amount 2');
    expect(await csv('number,in,out\nC1,,\n', two)).toBe('amount 2');
    const marked = {
      ...two,
      amountForm: 'marked',
      amount: 'sum',
      direction: 'way',
      creditWord: '贷',
    } as const;
    const ways = await csv('number,sum,way\nC1,5,贷\nC2,6,借\n', marked);
    expect(Array.isArray(ways) && ways.map(({ amountMinor }) => amountMinor)).toEqual([500n, -600n]);
    expect(await csv('number,sum,way\nC1,-5,贷\n', marked)).toBe('amount 2');
  });

  it('skip rows before their headings, and have other separators', async () => {
    const read = await csv('Bank\n;;;;\nnumber;amount;date;bank;text\nC1;1;24.11.2026;;\n', {
      delimiter: 'semicolon',
      headingRow: 3,
      dateOrder: 'dmy',
    });
    expect(read).toEqual([line(4, 'C1', 100n)]);
  });

  it.each([
    ['', 'headings 0'],
    ['number,amount\n', 'headings 1'],
    ['number,amount,amount,date,bank,text\n', 'headings 1'],
    [`${headings}C1,1\n`, 'columns 2'],
    [`${headings}C1,,2026-11-24,,\n`, 'amount 2'],
    [`${headings}C1,0.00,2026-11-24,,\n`, 'amount 2'],
    [`${headings}C1,1,yesterday,,\n`, 'date 2'],
    [`${headings}${'C'.repeat(141)},1,2026-11-24,,\n`, 'reference 2'],
    [`${headings}C1,1,2026-11-24,,"open\n`, 'quotes 2'],
  ])('are refused at the row that cannot be read: %j', async (text, fault) => {
    expect(await csv(text)).toBe(fault);
  });

  it('are refused in flat memory if a quote never ends', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${headings}C1,1,2026-11-24,,"`);
      for (;;) yield Buffer.alloc(65_536, 'x');
    }
    expect(await linesOf(readCsv(endless(), columns, 'CNY'))).toBe('tooLong 2');
  });

  it('give the same lines however they are cut', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '收', "'"),
      maxLength: 12,
    });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        async (texts, size) => {
          const rows = texts.map((text, at) => `C${at},${at + 1},2026-11-24,,${quoted(text)}\n`);
          const read = await csv(headings + rows.join(''), {}, size);
          expect(Array.isArray(read) && read.map(({ reference, text }) => [reference, text])).toEqual(
            texts.map((text, at) => [`C${at}`, text.trim()]),
          );
        },
      ),
    );
  });
});

const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="CNY">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const entry = (amount: string, way: string, details: string, status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="CNY">${amount}</Amt><CdtDbtInd>${way}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-24</Dt></BookgDt>` +
  `<ValDt><Dt>2026-11-24</Dt></ValDt><AcctSvcrRef>B1</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`;
const transaction = (reference: string, amount = '', text = '') =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount && `<Amt Ccy="CNY">${amount}</Amt>`}` +
  `<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
const message = (inside: string, prolog = '<?xml version="1.0" encoding="UTF-8"?>', version = '08') =>
  `${prolog}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>` +
  `<Stmt><Id>1</Id><FrToDt><FrDtTm>2026-11-24T00:00:00+08:00</FrDtTm></FrToDt><Acct><Ccy>CNY</Ccy></Acct>${inside}</Stmt></BkToCstmrStmt></Document>`;

describe('camt.053 files', () => {
  it('have a line for each entry, or for each transaction of an entry', async () => {
    const inside =
      balance('OPBD', '10.00') +
      balance('CLBD', '12.50') +
      entry('5.00', 'CRDT', transaction('C1', '', 'one &amp; &#x6536;')) +
      entry('3.00', 'DBIT', transaction('P1', '1.00') + transaction('NOTPROVIDED', '2')) +
      entry('0.50', 'CRDT', '', '<Sts>BOOK</Sts>') +
      entry('9.00', 'CRDT', transaction('C9'), '<Sts><Cd>PDNG</Cd></Sts>');
    const expected = [
      line(1, 'C1', 500n, { bankReference: 'B1', text: 'one & 收' }),
      line(2, 'P1', -100n, { bankReference: 'B1' }),
      line(3, '', -200n, { bankReference: 'B1' }),
      line(4, '', 50n, { bankReference: 'B1' }),
    ];
    for (const size of [1, 7, 100_000]) expect(await camt(message(inside), size)).toEqual(expected);
    expect(await camt(`\ufeff${message(inside, '', '02')}`)).toEqual(expected);
    const portions = readCamt(chunksOf(message(inside)), { currency: 'CNY', day: '2026-11-24' });
    let result = await portions.next();
    while (!result.done) result = await portions.next();
    expect(result.value).toEqual({ openingMinor: 1000n, closingMinor: 1250n });
  });

  it.each([
    ['<', 'markup 1'],
    ['<Document/>', 'notCamt 1'],
    [message('').replace('camt.053', 'camt.052'), 'notCamt 1'],
    ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"/>', 'notCamt 0'],
    [message('').slice(0, -5), 'markup 1'],
    [message('', '<?xml version="1.0" encoding="GBK"?>'), 'encoding 1'],
    [message('').replace('</Stmt>', '</Stmt><Stmt/>'), 'severalStatements 1'],
    [message('').replace('2026-11-24', '2026-11-23'), 'day 1'],
    [message('').replace('>CNY<', '>USD<'), 'currency 1'],
    [message(entry('5.00', 'CRDT', transaction('C1')).replace('"CNY"', '"USD"')), 'currency 1'],
    [message(entry('0', 'CRDT', transaction('C1'))), 'amount 1'],
    [message(entry('-5', 'CRDT', transaction('C1'))), 'amount 1'],
    [message(entry('1e3', 'CRDT', transaction('C1'))), 'amount 1'],
    [message(entry('5', 'BOTH', transaction('C1'))), 'amount 1'],
    [message(entry('5', 'CRDT', transaction('C'.repeat(141)))), 'reference 1'],
    [message(entry('5', 'CRDT', transaction('C1') + transaction('C2'))), 'sum 2'],
    [message(entry('5', 'CRDT', transaction('C1', '1') + transaction('C2', '3'))), 'sum 3'],
    [message(balance('OPBD', '1') + balance('CLBD', '3') + entry('1', 'CRDT', '')), 'balances 0'],
    [
      message(
        `<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>${entry('1', 'CRDT', '')}`,
      ),
      'count 0',
    ],
    [message('<x>'.repeat(40) + '</x>'.repeat(40)), 'markup 1'],
  ])('are refused where they cannot be read: %#', async (text, fault) => {
    expect(await camt(text)).toBe(fault);
  });

  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`);
  it.each([
    ['an external entity', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['a billion laughs', `<!DOCTYPE d [<!ENTITY l0 "lol">${laughs.join('')}]>`],
    ['an external document type', '<!DOCTYPE d SYSTEM "http://127.0.0.1:9/x.dtd">'],
    ['a parameter entity', '<!DOCTYPE d [<!ENTITY % p SYSTEM "http://127.0.0.1:9/">%p;]>'],
  ])('are refused with %s', async (_name, prolog) => {
    expect(await camt(message(entry('5', 'CRDT', transaction('C1', '', '&l9;')), prolog))).toBe('doctype 1');
  });

  it('may have any number of entries with white space between them', async () => {
    const entries = `${entry('1', 'CRDT', transaction('C1'))}${' '.repeat(1000)}`.repeat(100);
    expect(await camt(message(entries), 5000)).toHaveLength(100);
  });

  it('are refused with an entity that XML does not have', async () => {
    expect(await camt(message(entry('5', 'CRDT', transaction('&nbsp;'))))).toBe('markup 1');
  });

  it.each([
    '<Document xmlns="',
    '<!--',
    '<?x ',
    '<!DOCTYPE ',
    '<Document',
    '<Document><![CDATA[',
    '<Document>',
  ])('are refused in flat memory if %s never ends', async (start) => {
    async function* endless(): AsyncGenerator<Buffer> {
      const open = start.startsWith('<Document>')
        ? `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${start.slice(10)}`
        : start;
      yield Buffer.from(open);
      for (;;) yield Buffer.alloc(65_536, 'x');
    }
    const read = await linesOf(readCamt(endless(), { currency: 'CNY', day: '2026-11-24' }));
    expect(read).toBe('tooLong 1');
  });
});

describe('packed files', () => {
  const text = `${headings}C1,1,2026-11-24,,\n`;
  const unpack = async (file: Buffer, maxBytes?: number) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of unpacked(Readable.from(chunksOf(file), { objectMode: false }), maxBytes))
        chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    } catch (error) {
      return error instanceof UnreadableStatement ? error.fault : Promise.reject(error);
    }
  };

  it('are unpacked, and others passed on', async () => {
    expect(await unpack(gzipSync(text))).toBe(text);
    expect(await unpack(Buffer.from(text))).toBe(text);
    expect(await unpack(Buffer.alloc(0))).toBe('');
  });

  it('are refused if they are damaged, or unpack to too much', async () => {
    expect(await unpack(gzipSync(text).subarray(0, -9))).toBe('unpacking');
    expect(await unpack(Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).toBe('unpacking');
    expect(await unpack(gzipSync(Buffer.alloc(1_000_000)), 100_000)).toBe('tooLarge');
  });
});
