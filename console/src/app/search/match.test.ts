import { describe, expect, test } from 'vitest';
import { fold, matching, rankOf } from './match.ts';

describe('a query', () => {
  test.each([
    ['lich su', ['Lịch sử nạp tiền']],
    ['LỊCH SỬ', ['Lịch sử nạp tiền']],
    ['dien', ['Bảng điều khiển', 'Điện thoại']],
    ['流水', ['资金流水']],
    ['ＵＳＤＴ', ['usdt']],
    ['daily', ['日报', '资金', 'Daily reports', 'Funds']],
    ['history send', ['代付记录', 'Send money history']],
    ['  fund  ', ['Fund transactions']],
    ['', ['anything']],
  ])('“%s” matches %j', (query, texts) => expect(rankOf(query, texts)).toBeDefined());

  test.each([
    ['流水账', ['资金流水']],
    ['send receive', ['Send money history']],
    ['zzz', ['Dashboard']],
  ])('“%s” does not match %j', (query, texts) => expect(rankOf(query, texts)).toBeUndefined());
});

test('ranks prefixes first, then word prefixes, then substrings, and keeps the order within a rank', () => {
  const entries = ['Stop', 'Send top', 'Top-up', 'Top'].map((title) => ({ keywords: [title] }));
  expect(matching(entries, 'top').map(({ keywords }) => keywords[0])).toEqual([
    'Top-up',
    'Top',
    'Send top',
    'Stop',
  ]);
  expect(matching(entries, '')).toEqual(entries);
});

test('fold removes diacritics and case', () => {
  expect(fold(' Nguyễn ĐỨC ')).toBe('nguyen duc');
});
