import { describe, expect, it } from 'vitest';
import { fill, languageFor, payableAmount } from './language.tsx';

describe('languageFor', () => {
  it('knows our languages by any tag of theirs', () => {
    expect(['zh-cn', 'zh-Hant-TW', 'ZH', 'en-GB', 'vi-VN'].map(languageFor)).toEqual([
      'zh-cn',
      'zh-cn',
      'zh-cn',
      'en',
      'vi',
    ]);
  });

  it('knows no other', () => {
    expect(['fr', 'english', '', null, undefined, 'constructor'].map(languageFor)).toEqual(
      Array(6).fill(undefined),
    );
  });
});

describe('fill', () => {
  it('puts a name in as it is, whatever characters it has', () => {
    expect(fill('Back to {{merchant}}', { merchant: '$& {{title}} <b>' })).toBe('Back to $& {{title}} <b>');
    expect(fill('Pay {{amount}}', {})).toBe('Pay {{amount}}');
  });
});

describe('payableAmount', () => {
  it('writes an amount as the reader of the language does, to the last digit', () => {
    expect(payableAmount('999999999999.99', 'CNY', 'zh-cn')).toBe('¥999,999,999,999.99');
    expect(payableAmount('1280.50', 'CNY', 'en')).toBe('¥1,280.50');
    expect(payableAmount('2400000', 'VND', 'vi')).toBe('2.400.000\u00a0₫');
    expect(payableAmount('123456789012.123456', 'USDT', 'en')).toBe('123,456,789,012.123456\u00a0USDT');
  });

  it('leaves what is no amount as it is', () => {
    expect(payableAmount('1e3', 'CNY', 'en')).toBe('1e3 CNY');
  });
});
