import { collectionQuery } from '@hengfu/contract/collections';
import { dailyReportQuery } from '@hengfu/contract/daily-reports';
import { filterColumn } from '@hengfu/contract/export-columns';
import { fundFlowQuery } from '@hengfu/contract/fund-flow';
import { languages } from '@hengfu/contract/languages';
import { payoutQuery } from '@hengfu/contract/payouts';
import { refundQuery } from '@hengfu/contract/refunds';
import { settlementQuery } from '@hengfu/contract/settlements';
import { topupQuery } from '@hengfu/contract/topups';
import { withdrawalQuery } from '@hengfu/contract/withdrawals';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { manifestLines, manifestText } from './export-file.ts';

const facts = {
  rows: 3,
  createdBy: '王芳',
  merchant: '青禾',
  mode: 'live' as const,
  sha256: 'ab',
  sums: [{ key: 'amount', currency: 'CNY', amount: '12.00' }],
};
const task = {
  list: 'collections',
  columns: ['trade_no', 'amount'],
  zone: 'Asia/Shanghai',
  export_no: 'E1',
  created_at: new Date('2026-05-01T00:00:00Z'),
  filters: {
    settlementStatus: 'unsettled,settled',
    channel: 'CN_BANK',
    out_trade_no: 'A1',
    createdFrom: '2026-05-01T00:00:00+08:00',
    amountTo: '5.00',
  },
} as const;

describe('a manifest describes filters and sums in words', () => {
  it.each([
    [
      'zh-cn',
      [
        ['金额合计', '12.00 CNY'],
        ['列', '平台订单号、金额'],
        ['按结算状态筛选', '未结算、已结算'],
        ['按通道筛选', '中国大陆银行转账'],
        ['按商户订单号筛选', 'A1'],
        ['按创建时间筛选', '2026-05-01 00:00:00 起'],
        ['按金额筛选', '至 5.00'],
      ],
    ],
    [
      'vi',
      [
        ['Tổng Số tiền', '12.00 CNY'],
        ['Lọc theo Trạng thái quyết toán', 'Chưa quyết toán, Đã quyết toán'],
      ],
    ],
    [
      'en',
      [
        ['Total Amount', '12.00 CNY'],
        ['Filter by Settlement status', 'Unsettled, Settled'],
      ],
    ],
  ] as const)('in %s', (language, expected) => {
    const lines = manifestLines({ ...task, language, columns: [...task.columns] }, facts);
    expect(lines).toEqual(expect.arrayContaining(expected.map((line) => [...line])));
  });
});

test.each([
  ['zh-cn', '按银行筛选', '中国工商银行'],
  ['en', 'Filter by Bank', 'Industrial and Commercial Bank of China'],
  ['vi', 'Lọc theo Ngân hàng', 'Industrial and Commercial Bank of China'],
] as const)('a manifest in %s names the bank that a filter selects by its code', (language, name, bank) => {
  const filters = { bank: 'ICBC', accountType: 'PHONE' };
  const lines = manifestLines(
    { ...task, list: 'payouts', filters, language, columns: [...task.columns] },
    facts,
  );
  expect(lines).toContainEqual([name, bank]);
  expect(lines.flat()).not.toContain('PHONE');
});

test.each(languages)('a manifest in %s contains no API names', (language) => {
  const text = manifestText(
    { language },
    manifestLines({ ...task, language, columns: [...task.columns] }, facts),
  );
  expect(text).not.toMatch(/settlementStatus|unsettled|createdFrom|amountTo|CN_BANK|trade_no/);
  if (language === 'zh-cn') expect(text).not.toMatch(/[:,] /);
});

test.each([
  ['collections', collectionQuery],
  ['refunds', refundQuery],
  ['settlements', settlementQuery],
  ['payouts', payoutQuery],
  ['topups', topupQuery],
  ['withdrawals', withdrawalQuery],
  ['fundFlow', fundFlowQuery],
  ['settlementLines', z.object({ settlement_no: z.string() })],
  ['dailyReports', dailyReportQuery],
] as const)('every filter of %s has a name', (list, { shape }) => {
  const filters = Object.keys(shape).filter((key) => key !== 'limit' && key !== 'cursor');
  expect(filters.filter((filter) => !filterColumn(list, filter))).toEqual([]);
});

test('a manifest has no line that a name or a filter has made up', () => {
  const filters = { out_trade_no: 'A1\u2028SHA-256: cd' };
  const forged = manifestLines(
    { ...task, filters, language: 'en', columns: [...task.columns] },
    { ...facts, createdBy: 'Ann\r\nSHA-256: cd', merchant: '\u202Eshop\nRows: 9' },
  );
  const lines = manifestText({ language: 'en' }, forged).split(/[\r\n\u2028\u2029\u0085]+/u);
  expect(lines.filter((line) => /^(SHA-256|Rows)/.test(line))).toEqual(['Rows: 3', 'SHA-256: ab']);
  expect(lines).toHaveLength(forged.length + 1);
});
