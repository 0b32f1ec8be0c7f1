import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withoutMarks } from '@hengfu/contract/csv';
import papa from 'papaparse';
import readXlsxFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { describeUnless } from '../../testing/describe-unless.ts';
import { missingProgram, needsBuildServer } from '../../testing/obstacle.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

const run = promisify(execFile);

let product: TestProduct;
let visitor: Visitor;
let folder: string;

/** Numbers that spreadsheets garble: too long, with a leading zero, like an exponent. */
const accounts = ['6222021234567890128', '012345678901', '123456789012345'];
const numbers = ['007', '12E34', '20261123000001'];

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  const merchant = await product.merchant('sheets');
  await product.fund(merchant, '1000.00');
  for (const [index, payeeAccount] of accounts.entries()) {
    const { status } = await merchant.program.post('/openapi/v1/payouts', {
      out_trade_no: numbers[index],
      currency: 'CNY',
      channel: 'CN_BANK',
      amount: '1.50',
      payee: '王芳',
      payeeAccount,
      bank: 'ICBC',
      bankName: '中国工商银行',
    });
    expect(status).toBe(201);
  }
  visitor = await product.person(merchant);
  folder = await mkdtemp(join(tmpdir(), 'sheets-'));
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await product.close();
});

/** Exports the payouts; returns the file's bytes. */
async function exported(format: 'csv' | 'xlsx', language = 'en'): Promise<Buffer> {
  const path = '/api/merchant/exports';
  const columns = ['payeeAccount', 'out_trade_no', 'bank', 'amount'];
  const { json } = await visitor.post(path, { list: 'payouts', format, language, zone: 'UTC', columns });
  const exportNo = json.data.export_no;
  await until(
    async () => (await visitor.get(path)).json.data[0].status,
    (status) => status === 'successful',
    30_000,
  );
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${product.url}${path}/${exportNo}/file`, { headers: { cookie } });
  return Buffer.from(await response.arrayBuffer());
}

/** Opens a file in LibreOffice as a double click does, saves it as CSV, and returns the cells. */
async function throughLibreOffice(name: string, bytes: Buffer): Promise<string[][]> {
  await writeFile(join(folder, name), bytes);
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const saved = join(folder, 'saved');
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false';
  const options = [profile, '--headless', '--convert-to', filter, '--outdir', saved, join(folder, name)];
  await run('soffice', options, { timeout: 90_000 });
  const text = await readFile(join(saved, name.replace(/\.\w+$/, '.csv')), 'utf8');
  return papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data.slice(1);
}

const sorted = (cells: readonly unknown[]) => cells.map(String).sort();
const column = (rows: readonly (readonly unknown[])[], at: number) => sorted(rows.map((row) => row[at]));

it('a strict reader of the CSV finds every digit behind one apostrophe, and the banks’ names', async () => {
  const text = (await exported('csv')).toString('utf8').slice(1);
  // Every line ends with CR LF and every text is quoted (RFC 4180).
  const lines = text.split('\r\n').slice(1, -1);
  for (const line of lines) expect(line).toMatch(/^("([^"]|"")*",){3}1\.50$/);
  const { data, errors } = papa.parse<string[]>(text, {
    delimiter: ',',
    newline: '\r\n',
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  const rows = data.slice(1);
  expect(column(rows, 0)).toEqual(sorted(accounts.map((digits) => `'${digits}`)));
  expect(column(rows, 0).map(withoutMarks)).toEqual(sorted(accounts));
  expect(column(rows, 1).map(withoutMarks).sort()).toEqual(sorted(numbers));
  expect(new Set(column(rows, 2))).toEqual(new Set(['Industrial and Commercial Bank of China']));
  const chinese = papa.parse<string[]>((await exported('csv', 'zh-cn')).toString('utf8'));
  expect(chinese.data[1]?.[2]).toBe('中国工商银行');
});

it('XLSX holds the digits as text without an apostrophe, and the banks’ names', async () => {
  const [sheet] = await readXlsxFile(await exported('xlsx'));
  const rows = (sheet?.data ?? []).slice(1);
  expect(rows.every(([account, number]) => typeof account === 'string' && typeof number === 'string')).toBe(
    true,
  );
  expect(column(rows, 0)).toEqual(sorted(accounts));
  expect(column(rows, 1)).toEqual(sorted(numbers));
  expect(rows[0]?.[2]).toBe('Industrial and Commercial Bank of China');
});

const obstacle = needsBuildServer ?? missingProgram('soffice', 'libreoffice-calc');

describeUnless(obstacle, 'an export opened in LibreOffice', () => {
  it('keeps every digit, as CSV and as XLSX', async () => {
    for (const format of ['csv', 'xlsx'] as const) {
      const rows = await throughLibreOffice(`payouts.${format}`, await exported(format));
      expect([format, column(rows, 0).map(withoutMarks)]).toEqual([format, sorted(accounts)]);
      expect([format, column(rows, 1).map(withoutMarks).sort()]).toEqual([format, sorted(numbers)]);
      expect(rows[0]?.[3]).toBe('1.5');
    }
  }, 240_000);

  it('would lose digits without the apostrophe', async () => {
    const plain = ['"Account"', ...[...accounts, ...numbers].map((digits) => `"${digits}"`)].join('\r\n');
    const rows = await throughLibreOffice('plain.csv', Buffer.from(plain));
    const kept = rows.map(([digits]) => digits).filter((digits) => accounts.includes(digits ?? ''));
    expect(kept.length).toBeLessThan(accounts.length);
  }, 120_000);
});
