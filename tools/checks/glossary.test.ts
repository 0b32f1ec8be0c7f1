import { describe, expect, it } from 'vitest';
import { avoided, phraseProblems, proseProblems } from './glossary.ts';
import { apiTexts, documentTexts, literals, operatorTexts, paragraphs } from './glossary-texts.ts';

it.each([
  ['en', 'Your shop was told', 2],
  ['en', 'The merchant’s system was notified', 0],
  ['en', 'Sum of the amounts', 1],
  ['zh-cn', '您的程序调用接口', 1],
  ['zh-cn', '商户系统调用接口', 0],
  ['vi', 'Mở Bảng điều khiển', 1],
  ['vi', 'Mở Trang quản trị', 0],
])('%s: reports the avoided words in “%s”: %i', (language, text, count) => {
  expect(phraseProblems(language, new Map([['a.key', text]]))).toHaveLength(count);
});

it('ignores placeholders and phrases that quote the specification', () => {
  expect(phraseProblems('en', new Map([['a.key', 'From {{shop}}']]))).toEqual([]);
  const noChannel = 'Please contact customer service.';
  expect(phraseProblems('en', new Map([['payouts.noChannel', noChannel]]))).toEqual([]);
  expect(phraseProblems('en', new Map([['payouts.other', noChannel]]))).toEqual([
    'en payouts.other: “customer service”: say “our support team”',
  ]);
});

it('has a list for every language', () => {
  expect(Object.keys(avoided)).toEqual(['en', 'zh-cn', 'vi']);
});

describe('prose', () => {
  it.each([
    ['The shop is told.', 2],
    ['A merchant’s program pays on the cashier page.', 2],
    ['The staff reads a notice.', 2],
    ['The amount is in the home currency.', 1],
    ['This process notices a dead peer by itself; nobody waits, and `shop` is a program.', 0],
  ])('reports the avoided words in “%s”: %i', (text, count) => {
    const [[key, prose] = ['', '']] = paragraphs('a.md', text);
    expect(proseProblems(new Map([[key, prose]]))).toHaveLength(count);
  });

  it('reads paragraphs, table rows and list items, but not code, quotations and link targets', () => {
    const document = [
      '# One',
      'a `shop` at',
      'two',
      '',
      '    npm run shop',
      '| x | [y](shop.md) "the shop" |',
      '| z |',
      '- item',
      '```',
      'shop',
      '```',
    ];
    expect(paragraphs('a.md', document.join('\n'))).toEqual([
      ['a.md:1', '# One a at two'],
      ['a.md:6', '| x | [y] |'],
      ['a.md:7', '| z |'],
      ['a.md:8', '- item'],
    ]);
  });

  it('reads the texts that a command prints, but not identifiers and comments', () => {
    const source = [
      '// the shop',
      "import x from './the-shop.ts';",
      "say('word', 'in the shop', `a shop of $" + '{x}`);',
    ].join('\n');
    expect(literals('a.ts', source)).toEqual([
      ['a.ts:3:13', 'in the shop'],
      ['a.ts:3:28', 'a shop of {{value}}'],
    ]);
  });

  it('finds the documents, operator commands and API calls', async () => {
    const paths = (texts: ReadonlyMap<string, string>) =>
      new Set([...texts.keys()].map((key) => key.replace(/:.*/, '')));
    expect(paths(documentTexts())).toContain('docs/operations.md');
    expect(paths(documentTexts())).not.toContain('docs/doors.md');
    expect([...paths(operatorTexts())].some((path) => path.endsWith('merchant-commands.ts'))).toBe(true);
    expect((await apiTexts()).get('POST /openapi/v1/payouts')).toContain('payout');
  });
});
