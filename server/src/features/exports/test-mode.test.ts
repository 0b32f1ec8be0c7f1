import papa from 'papaparse';
import readXlsxFile from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ShopProgram } from '../../testing/shop-program.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let live: Visitor;
let test: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  const merchant = await product.merchant('files');
  for (const number of ['a', 'b']) await merchant.program.create(number);
  live = await product.person(merchant, 'MERCHANT_ADMIN', 'one');
  live.merchant = merchant.code;
  test = await product.person(merchant, 'MERCHANT_ADMIN', 'other');
  test.merchant = merchant.code;
  await test.send('PUT', '/api/merchant/test-mode', { isOn: true });
  const twin = await product.services.testMode.open(merchant.id);
  test.merchant = twin.code;
  const key = { id: `ak_test_${twin.code}`, secret: 'sk_files' };
  await product.admin().addAccessKey(twin.id, key.id, key.secret);
  for (const number of ['a', 'b']) await new ShopProgram(product.url, key).create(number);
}, 60_000);
afterAll(() => product.close());

const path = '/api/merchant/exports';

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const lastDays = { offset: '+00:00', from: dayOf(Date.now() - 2 * 86_400_000), to: dayOf(Date.now()) };

/** Exports a list; returns the file's name and bytes, and its manifest. */
async function exported(visitor: Visitor, body: object) {
  const request = { list: 'collections', format: 'csv', language: 'en', zone: 'UTC', ...body };
  const { json } = await visitor.post(path, request);
  const { export_no: exportNo, fileName } = json.data;
  await until(
    async () => (await visitor.get(path)).json.data[0].status,
    (status) => status === 'successful',
    30_000,
  );
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const merchant = visitor.merchant === undefined ? {} : { 'x-merchant': visitor.merchant };
  const get = (file: string) =>
    fetch(`${product.url}${path}/${exportNo}/${file}`, { headers: { cookie, ...merchant } });
  const file = await get('file');
  const disposition = file.headers.get('content-disposition') ?? '';
  const bytes = Buffer.from(await file.arrayBuffer());
  return { fileName, disposition, bytes, manifest: await (await get('manifest')).text() };
}

const rowsOf = (bytes: Buffer) =>
  papa.parse<string[]>(bytes.toString('utf8').slice(1), { skipEmptyLines: true }).data;
const columns = ['out_trade_no', 'amount'];

describe('a file of test mode', () => {
  it('says so in its name, in every row and in its manifest', async () => {
    const { fileName, disposition, bytes, manifest } = await exported(test, { columns });
    expect(fileName).toMatch(/^TEST-Collection transactions E\d+\.csv$/);
    expect(disposition).toContain('filename="TEST-Collection transactions ');
    expect(rowsOf(bytes)).toEqual([
      ['Test mode', 'Merchant order number', 'Amount'],
      ['TEST', 'b', '100.00'],
      ['TEST', 'a', '100.00'],
    ]);
    expect(manifest.split('\r\n')[0]).toBe('Test mode: No real money');
  });

  it('says so in a workbook, in other languages, and for lists that are computed', async () => {
    const workbook = await exported(test, { columns, format: 'xlsx', language: 'zh-cn' });
    expect(workbook.fileName).toMatch(/^TEST-\S+ E\d+\.xlsx$/);
    const [rows, manifest] = await readXlsxFile(workbook.bytes);
    expect(rows?.data.map(([mark]) => mark)).toEqual(['测试模式', '测试', '测试']);
    expect(manifest?.data[0]?.[0]).toBe('测试模式');
    expect(manifest?.data[0]?.[1]).toBe('不涉及真实资金');
    const computed = rowsOf((await exported(test, { list: 'dailyReports', filters: lastDays })).bytes);
    expect(computed.length).toBeGreaterThan(1);
    expect(new Set(computed.slice(1).map(([mark]) => mark))).toEqual(new Set(['TEST']));
  });
});

it('a file of live mode has no such mark', async () => {
  const { fileName, bytes, manifest } = await exported(live, { columns });
  expect(fileName).toMatch(/^Collection transactions E\d+\.csv$/);
  expect(rowsOf(bytes)).toEqual([
    ['Merchant order number', 'Amount'],
    ['b', '100.00'],
    ['a', '100.00'],
  ]);
  expect(manifest).not.toMatch(/test mode|real money/i);
});
