import { describe, expect, it } from 'vitest';
import { findOptions, groupOptions } from './combobox-options.ts';

const banks = [
  {
    value: 'ICBC',
    label: '中国工商银行',
    keywords: ['ICBC', 'Industrial and Commercial Bank of China', 'zggsyh'],
  },
  { value: 'ABC', label: '中国农业银行', keywords: ['ABC', 'Agricultural Bank of China', 'zgnyyh'] },
  { value: 'CMB', label: '招商银行', keywords: ['CMB', 'China Merchants Bank', 'zsyh'] },
];
const zones = ['Asia/Ho_Chi_Minh', 'America/Indiana/Knox', 'Asia/Shanghai'].map((zone) => ({
  value: zone,
  label: zone,
}));
const valuesOf = (options: readonly { value: string }[]) => options.map(({ value }) => value);

describe('the search of a combobox', () => {
  it.each([
    ['工商', ['ICBC']],
    ['zgny', ['ABC']],
    ['gsyh', ['ICBC']],
    ['icbc', ['ICBC']],
    ['ＩＣＢＣ', ['ICBC']],
    ['bank china', ['ICBC', 'ABC', 'CMB']],
    ['nothing', []],
  ])('finds banks by name, code and initials: %s', (text, found) => {
    expect(valuesOf(findOptions(banks, text))).toEqual(found);
  });

  it('finds zones by words, whatever stands between them', () => {
    expect(valuesOf(findOptions(zones, 'ho chi'))).toEqual(['Asia/Ho_Chi_Minh']);
    expect(valuesOf(findOptions(zones, 'Hồ Chí Minh'))).toEqual(['Asia/Ho_Chi_Minh']);
    expect(valuesOf(findOptions(zones, 'knox'))).toEqual(['America/Indiana/Knox']);
  });

  it('puts what begins with the text first', () => {
    expect(valuesOf(findOptions(banks, 'c'))).toEqual(['CMB', 'ICBC', 'ABC']);
  });
});

describe('the groups of a combobox', () => {
  const headings = { recent: 'Recent', all: 'All' };
  it('are recent choices and the others', () => {
    const groups = groupOptions(banks, ['CMB', 'gone'], '', headings);
    expect(groups.map(({ heading, items }) => [heading, valuesOf(items)])).toEqual([
      ['Recent', ['CMB']],
      ['All', ['ICBC', 'ABC']],
    ]);
  });
  it('are one without a heading if there are no recent choices, or a text searches', () => {
    expect(groupOptions(banks, [], '', headings).map(({ heading }) => heading)).toEqual(['']);
    expect(groupOptions(banks, ['CMB'], 'abc', headings).map(({ items }) => valuesOf(items))).toEqual([
      ['ABC'],
    ]);
    expect(groupOptions(banks, ['CMB'], 'xyz', headings)).toEqual([]);
  });
});
