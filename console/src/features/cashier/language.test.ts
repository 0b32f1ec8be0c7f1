import { describe, expect, it } from 'vitest';
import { fill, languageFor, payableAmount } from './language.tsx';

describe('languageFor', () => {
  it('maps every tag of a supported language to it', () => {
    expect(['zh-cn', 'zh-Hant-TW', 'ZH', 'en-GB', 'vi-VN'].map(languageFor)).toEqual([
      'zh-cn',
      'zh-cn',
      'zh-cn',
      'en',
      'vi',
    ]);
  });

  it('returns undefined for anything else', () => {
    expect(['fr', 'english', '', null, undefined, 'constructor'].map(languageFor)).toEqual(
      Array(6).fill(undefined),
    );
  });
});

describe('fill', () => {
  it('inserts values verbatim, whatever characters they contain', () => {
    expect(fill('Back to {{merchant}}', { merchant: '$& {{title}} <b>' })).toBe('Back to $& {{title}} <b>');
    expect(fill('Pay {{amount}}', {})).toBe('Pay {{amount}}');
  });
});

describe('payableAmount', () => {
  it('formats an amount for the language without losing digits', () => {
    expect(payableAmount('999999999999.99', 'CNY', 'zh-cn')).toBe('¥999,999,999,999.99');
    expect(payableAmount('1280.50', 'CNY', 'en')).toBe('¥1,280.50');
    expect(payableAmount('2400000', 'VND', 'vi')).toBe('2.400.000\u00a0₫');
    expect(payableAmount('123456789012.123456', 'USDT', 'en')).toBe('123,456,789,012.123456\u00a0USDT');
  });

  it('leaves text that is not an amount unchanged', () => {
    expect(payableAmount('1e3', 'CNY', 'en')).toBe('1e3 CNY');
  });
});
