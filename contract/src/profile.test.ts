import { describe, expect, it } from 'vitest';
import { personName } from './profile.ts';

describe('a person’s name', () => {
  it.each(['王小明', 'Nguyễn Văn Án', 'O’Brien-Šimek', 'J', 'राज्‍य', '👩‍💻 Mai', 'X Æ A-12'])(
    'is kept: %s',
    (name) => {
      expect(personName.parse(`  ${name}\n`)).toBe(name);
    },
  );

  it.each([
    ['an override of the writing direction', '\u202egnp.exe', 'gnp.exe'],
    ['an isolate that is never closed', 'Mai\u2067', 'Mai'],
    ['a terminal’s commands', '\u0007\u001b[31mred', '[31mred'],
    ['characters without a width', 'Ma\u200bi\ufeff', 'Mai'],
    ['tags', 'Mai\u{e0041}', 'Mai'],
    ['line ends', 'Mai\r\n\u2028Lan', 'MaiLan'],
  ])('loses %s', (_what, given, kept) => {
    expect(personName.parse(given)).toBe(kept);
  });

  it.each([
    '',
    '  ',
    '\u200b',
    '\u200b\u200e\u2066',
    '\u200d',
    '\u0301',
    '\u3164',
    '\u115f\u1160',
    '\uffa0',
    '\u2800',
    '\u00ad',
  ])('needs something that can be seen: %j', (name) => {
    expect(personName.safeParse(name).error?.issues[0]?.message).toBe('validation.nameRequired');
  });
});
