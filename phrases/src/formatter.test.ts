import { expect, it } from 'vitest';
import { formatter } from './formatter.ts';

it.each([
  ['en', 1, '1 second'],
  ['en', 59, '59 seconds'],
  ['en', 60, '1 minute'],
  ['en', 2664, '45 minutes'],
  ['en', 3600, '1 hour'],
  ['en', 5401, '1 hour 31 minutes'],
  ['zh-cn', 30, '30 秒'],
  ['zh-cn', 2664, '45 分钟'],
  ['zh-cn', 5400, '1 小时 30 分钟'],
  ['vi', 30, '30 giây'],
  ['vi', 5400, '1 giờ 30 phút'],
])('a wait is put into words: %s, %i s', (language, seconds, text) => {
  expect(formatter.format(seconds, 'wait', language)).toBe(text);
});

it('other numbers are written as the language writes them', () => {
  expect([formatter.format(1800, undefined, 'en'), formatter.format(1800, undefined, 'vi')]).toEqual([
    '1,800',
    '1.800',
  ]);
});
