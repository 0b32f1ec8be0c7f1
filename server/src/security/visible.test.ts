import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleJson } from './visible.ts';

const any = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...'\u001b\u009b\u0007\u007f\u202e\u2066\u200b\u2028\ufeff\u3164\u{e0041}a"\\\n'),
  }),
);
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

describe('a text on a terminal', () => {
  it.each([
    ['Ann 王芳 Nguyễn', 'Ann 王芳 Nguyễn'],
    ['\u001b]0;x\u0007', '\\u001b]0;x\\u0007'],
    ['\u009b31m', '\\u009b31m'],
    ['a\u202eb\u2066', 'a\\u202eb\\u2066'],
    ['a\u200bb\u007f', 'a\\u200bb\\u007f'],
    ['two\r\nlines', 'two\\r\\nlines'],
    ['\u{e0041}', '\\udb40\\udc41'],
  ])('%j is shown as %s', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('contains nothing that a terminal would interpret or hide', () => {
    fc.assert(fc.property(any, (text) => void expect(visible(text)).not.toMatch(unseen)));
  });
});

it('JSON contains nothing of the kind either, and parses to the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(any, any), (value) => {
      const json = visibleJson(JSON.stringify(value));
      expect(json).not.toMatch(unseen);
      expect(JSON.parse(json)).toEqual(value);
    }),
  );
});
