import { describe, expect, it } from 'vitest';
import { receiptAmount, receiptRows, receiptState, receiptTime } from './receipt-text.ts';
import type { Receipt } from './receipts.ts';

const paid: Receipt = {
  merchant: { name: 'Tea', color: null, logo: null, registeredName: 'Tea Ltd' },
  registeredName: 'Tea Ltd',
  trade_no: 'C1',
  out_trade_no: 'A-1',
  subject: 'Two boxes',
  amount: '100.00',
  currency: 'CNY',
  refunded: '0.00',
  kept: '100.00',
  channel: 'CN_BANK',
  bankReference: 'B1',
  createdAt: '2026-11-25T17:00:00.000Z',
  paidAt: '2026-11-25T17:01:02.000Z',
  refundedAt: null,
  zone: 'Asia/Shanghai',
};
const labelsOf = (receipt: Receipt) => receiptRows(receipt, 'en', 'Bank').map(([label]) => label);

describe('receiptState', () => {
  it('follows the sums, whatever the currency’s decimals', () => {
    expect(receiptState(paid)).toBe('paid');
    expect(receiptState({ ...paid, refunded: '0.01', kept: '99.99' })).toBe('partlyRefunded');
    expect(receiptState({ ...paid, refunded: '100.00', kept: '0.00' })).toBe('refunded');
    expect(receiptState({ ...paid, currency: 'VND', refunded: '0', kept: '5000' })).toBe('paid');
    expect(receiptState({ ...paid, currency: 'VND', refunded: '5000', kept: '0' })).toBe('refunded');
  });
});

describe('receiptRows', () => {
  it('shows the registered name beside another one, and sums only after a refund', () => {
    expect(labelsOf(paid)).toEqual([
      'registeredName',
      'subject',
      'channel',
      'trade_no',
      'out_trade_no',
      'bankReference',
      'createdAt',
      'paidAt',
    ]);
    expect(
      labelsOf({ ...paid, registeredName: 'Tea', refunded: '30.00', kept: '70.00' }).slice(0, 4),
    ).toEqual(['amount', 'refunded', 'kept', 'subject']);
  });

  it('leaves out what there is no value for', () => {
    expect(labelsOf({ ...paid, subject: null, bankReference: null })).not.toContain('subject');
  });
});

it('formats amounts exactly, with all decimals and the currency’s code', () => {
  expect(receiptAmount('999999999999.99', 'CNY', 'en')).toBe('999,999,999,999.99\u00a0CNY');
  expect(receiptAmount('1280.50', 'CNY', 'vi')).toBe('1.280,50\u00a0CNY');
  expect(receiptAmount('2400000', 'VND', 'vi')).toBe('2.400.000\u00a0VND');
  expect(receiptAmount('0.000001', 'USDT', 'zh-cn')).toBe('0.000001\u00a0USDT');
});

it('shows times in the merchant’s zone and names it', () => {
  expect(receiptTime(paid.paidAt, 'Asia/Shanghai', 'zh-cn')).toBe('2026年11月26日 01:01:02 (Asia/Shanghai)');
  expect(receiptTime(paid.paidAt, 'UTC', 'en')).toMatch(/^Nov 25, 2026, 5:01:02\sPM \(UTC\)$/);
});
