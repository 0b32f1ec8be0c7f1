import { describe, expect, test } from 'vitest';
import { fold, matching, rankOf } from './match.ts';

describe('a query meets', () => {
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
  ])('“%s”: %j', (query, texts) => expect(rankOf(query, texts)).toBeDefined());

  test.each([
    ['流水账', ['资金流水']],
    ['send receive', ['Send money history']],
    ['zzz', ['Dashboard']],
  ])('not “%s”: %j', (query, texts) => expect(rankOf(query, texts)).toBeUndefined());
});

test('what begins so comes first, then what has a word that does, then the rest, else in its order', () => {
  const entries = ['Stop', 'Send top', 'Top-up', 'Top'].map((title) => ({ words: [title] }));
  expect(matching(entries, 'top').map(({ words }) => words[0])).toEqual([
    'Top-up',
    'Top',
    'Send top',
    'Stop',
  ]);
  expect(matching(entries, '')).toEqual(entries);
});

test('letters are compared without marks and case', () => {
  expect(fold(' Nguyễn ĐỨC ')).toBe('nguyen duc');
});
