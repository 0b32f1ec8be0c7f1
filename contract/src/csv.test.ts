import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText, withoutMarks } from './csv.ts';

const signs = ['=', '+', '-', '@'];
const isSign = (character: string) =>
  signs.includes(character.normalize('NFKC').replace('\u2212', '-')[0] ?? '') || character === '\u2212';
const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** Texts of characters that readers split at, drop or execute, and of ordinary ones. */
const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...`=+-@＝＋－＠;,"' \t\r\n\u200b\u00a0\u2212|ax1`), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...`01234567890123456789０E'" \t\n`), maxLength: 20 }),
);
const contentOf = (cell: string) => cell.slice(1, -1).replaceAll('""', '"');

describe('a text as a CSV cell', () => {
  it.each([
    ['', '""'],
    ['Ann', '"Ann"'],
    ['王芳', '"王芳"'],
    ['a "b", c', '"a ""b"", c"'],
    ['=1', `"'=1"`],
    ['＝1', `"'＝1"`],
    ['\t1', `"'\t1"`],
    ['\r1', `"'\r1"`],
    [' =1', `"' =1"`],
    ['\u200b@x', `"'\u200b@x"`],
    ['"=1', `"'""=1"`],
    ["x';=1", `"x';'=1"`],
    ['x; "=1', `"x;' ""=1"`],
    ['x\n-1', `"x\n'-1"`],
    ['x;', `"x;'"`],
    // Spreadsheets would change these as numbers.
    ['6222021234567890128', `"'6222021234567890128"`],
    ['622202123456', `"'622202123456"`],
    ['007', `"'007"`],
    ["'007", `"''007"`],
    [' 007 ', `"' 007 "`],
    ['12E34', `"'12E34"`],
    ['１２３４５６７８９０１２', `"'１２３４５６７８９０１２"`],
    ['62220212345', '"62220212345"'],
    ['0', '"0"'],
    ['C261122163005618033989', '"C261122163005618033989"'],
    // A date, a range, a list, a line break: no formula starts there.
    ['2026-05-01', '"2026-05-01"'],
    ['a; b', '"a; b"'],
    ['a=b', '"a=b"'],
    ['one\r\ntwo', '"one\r\ntwo"'],
  ])('%j is written %s', (text, cell) => {
    expect(csvText(text)).toBe(cell);
  });

  it('is read back unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(withoutMarks(contentOf(csvText(text)))).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  it('begins with an apostrophe for every character that Unicode maps to one of the signs', () => {
    const passed = everyCharacter.filter(isSign).filter((sign) => !csvText(`${sign}1`).startsWith(`"'`));
    expect(passed).toEqual([]);
    expect(everyCharacter.filter(isSign).length).toBeGreaterThan(signs.length * 2);
  });

  it('takes linear time, however many line breaks it has', () => {
    const text = '\n'.repeat(200_000);
    const begunAt = Date.now();
    expect(csvText(`${text}x`)).toHaveLength(text.length + 4);
    expect(withoutMarks(`${text}'x`)).toHaveLength(text.length + 2);
    expect(Date.now() - begunAt).toBeLessThan(2000);
  });
});

it('keeps an apostrophe that a person typed where no formula would start', () => {
  expect(["'x7", "'x", "l'été", "'"].map(withoutMarks)).toEqual(["'x7", "'x", "l'été", "'"]);
  // Here it has the meaning that it has in a spreadsheet.
  expect(withoutMarks("'007")).toBe('007');
});
