import * as z from 'zod';
import type { ScanProxy } from './proxy.ts';

/** One address with values that the server accepts, for a scanner to change. */
export interface Target {
  method: string;
  /** The path in the OpenAPI document, for display. */
  name: string;
  /** Path and query as sent; `*` follows each part of the path that the scanner should change. */
  path: string;
  /** A JSON body; undefined for a GET. */
  body: string | undefined;
}

const schema = z.looseObject({
  enum: z.array(z.string()).optional(),
  type: z.string().optional(),
  format: z.string().optional(),
});
const operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema })).default([]),
});
const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });
type Operation = z.output<typeof operation>;

/** Where to find an existing identifier for a detail path: the list, and the field of its rows. */
const idSources: readonly [inPath: RegExp, list: string, field: string][] = [
  [/\/payouts\//, '/api/merchant/payouts', 'trade_no'],
  [/\/payout-batches\//, '/api/merchant/payout-batches', 'batch_no'],
  [/\/topups\//, '/api/merchant/topups', 'trade_no'],
  [/\/withdrawals\//, '/api/merchant/withdrawals', 'trade_no'],
  [/\/settlements\//, '/api/merchant/settlements', 'settlement_no'],
  [/\/exports\//, '/api/merchant/exports', 'export_no'],
  [/\/collections\//, '/api/merchant/collections', 'trade_no'],
];

/** Values by name for parameters that are neither enums nor times. */
const values: Readonly<Record<string, string>> = {
  from: '2026-01-01',
  to: '2026-12-31',
  zone: 'UTC',
  q: 'C2',
  code: 'ICIC0000001',
  ifsc: 'ICIC0000001',
  limit: '20',
  page: '1',
  seconds: '900',
  amountFrom: '1',
  amountTo: '100000',
  days: '7',
};

/** Lists every GET with parameters in both documents, with values that reach the database. */
export async function readTargets(proxy: ScanProxy): Promise<Target[]> {
  const targets: Target[] = [];
  for (const name of ['console', 'open']) {
    const { paths } = openApi.parse(await proxy.get(`/api/docs/${name}.json`));
    for (const [path, { get }] of Object.entries(paths))
      if (get && get.parameters.length > 0)
        targets.push({ method: 'GET', name: path, path: await addressOf(proxy, path, get), body: undefined });
  }
  return targets;
}

async function addressOf(proxy: ScanProxy, path: string, { parameters }: Operation): Promise<string> {
  const id = await findId(proxy, path);
  const filled = path.replace(/\{\w+\}/g, `${encodeURIComponent(id)}*`);
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema: { enum: choices, format, type } }) => {
      const value =
        choices?.[0] ?? (format === 'date-time' ? '2026-01-01T00:00:00Z' : undefined) ?? values[name];
      return [name, value ?? (type === 'integer' ? '1' : 'x')] as [string, string];
    });
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

async function findId(proxy: ScanProxy, path: string): Promise<string> {
  const found = idSources.find(([inPath]) => inPath.test(path));
  if (!found) return 'none';
  const [, list, field] = found;
  const reply = z
    .object({ data: z.array(z.record(z.string(), z.unknown())) })
    .safeParse(await proxy.get(list));
  return String(reply.data?.data[0]?.[field] ?? 'none');
}

const account = { payee: 'Ann Lee', payeeAccount: '987654320001', bank: 'ICBC', bankName: 'ICBC' };

/** Targets with JSON bodies, which reach the database in other ways than lists do. */
export function writtenTargets(): Target[] {
  const bodies: [method: string, path: string, body: object][] = [
    ['POST', '/api/login', { email: 'nobody@scan.test', password: 'x' }],
    [
      'POST',
      '/api/merchant/saved-views',
      { list: 'payouts', name: 'scan', filters: { payee: 'x' }, columns: ['amount'] },
    ],
    [
      'POST',
      '/api/merchant/exports',
      {
        list: 'payouts',
        format: 'csv',
        language: 'en',
        zone: 'UTC',
        filters: { payee: 'x', status: 'processed' },
      },
    ],
    ['PUT', '/api/merchant/notices/read', { ids: ['1'] }],
    [
      'POST',
      '/api/merchant/payout-batches/check',
      { channel: 'CN_BANK', rows: [{ ...account, amount: '1.00' }] },
    ],
    ['PUT', '/api/user/profile-information', { name: 'Demo', email: 'demo@hengfu.test' }],
    [
      'POST',
      '/openapi/v1/collections',
      { out_trade_no: 'scan', amount: '1.00', currency: 'CNY', subject: 'Tea' },
    ],
    [
      'POST',
      '/openapi/v1/payouts',
      { out_trade_no: 'scan', amount: '1.00', currency: 'CNY', channel: 'CN_BANK', ...account, remark: 'x' },
    ],
  ];
  return bodies.map(([method, path, body]) => ({ method, name: path, path, body: JSON.stringify(body) }));
}
