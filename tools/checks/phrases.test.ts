import { expect, test } from 'vitest';
import { phraseNames } from './phrase-names.ts';
import { differences, flatten, gluedPunctuation, unusedKeys } from './phrases.ts';

const english = flatten({ funds: { title: 'Funds', sum: '{{count}} of {{ total, money }}' } });

test('accepts languages with the same keys and placeholders, in any order', () => {
  const vietnamese = new Map([
    ['funds.sum', '{{total}}: {{count}}'],
    ['funds.title', 'Tiền'],
  ]);
  expect(
    differences(
      new Map([
        ['en', english],
        ['vi', vietnamese],
      ]),
    ),
  ).toEqual([]);
});

test.each([
  [{ funds: { title: 'Tiền' } }, 'vi funds.sum: missing'],
  [
    { funds: { title: 'Tiền', sum: '{{count}}' } },
    'vi funds.sum: placeholders (count), in English (count, total)',
  ],
  [{ funds: { title: 'Tiền', sum: '{{count}} {{total}}', more: 'x' } }, 'vi funds.more: not in English'],
  [{ funds: { title: ' ', sum: '{{count}} {{total}}' } }, 'vi funds.title: empty'],
])('rejects %o', (tree, problem) => {
  expect(
    differences(
      new Map([
        ['en', english],
        ['vi', flatten(tree)],
      ]),
    ),
  ).toEqual([problem]);
});

test('lets a “one” plural omit its count', () => {
  const texts = new Map([
    ['en', new Map([['orders_one', 'One order of {{name}}']])],
    ['vi', new Map([['orders_one', '{{count}} đơn của {{name}}']])],
  ]);
  expect(differences(texts)).toEqual([]);
});

test.each([
  ["t('funds.title')", 'by its key'],
  ["t('funds.orders', { count })", 'as a plural'],
  [`t(\`funds.status.\${row.status}\`)`, 'by a template'],
  ['<StatusTag phrases="funds.status" />', 'by its group'],
  ['const { funds } = useCashierI18n(); funds.title', 'as a member'],
  ['phrases.funds.status[row.status]', 'as some member of a group'],
  [`phrases.funds[\`\${what}le\`]`, 'as a member with an end'],
])('%s uses a phrase %s', (source) => {
  const keys = ['funds.title', 'funds.orders_one', 'funds.status.paid'];
  expect(unusedKeys(keys, phraseNames('a.tsx', source))).toHaveLength(2);
});

test.each([
  "t('funds.titles')",
  "t('funds')",
  `\`\${funds}.title\``,
  `\`funds\${x}\``,
  '// funds.title',
  'funds.title',
  `phrases.funds[\`\${what}lf\`]`,
])('%s uses no phrase', (source) => {
  expect(unusedKeys(['funds.title'], phraseNames('a.tsx', source))).toEqual(['funds.title']);
});

test.each([
  ["<p>{t('exports.nextAt', { day: text(at) })}: <b>{at}</b></p>", 1],
  ["<b>{t('payoutBatches.line')}, {line}</b>", 1],
  ["t('ui.labelled', { label: t('exports.sum'), value: amount })", 0],
])('counts punctuation after a phrase in %s: %i', (source, count) => {
  expect(gluedPunctuation(source)).toHaveLength(count);
});
