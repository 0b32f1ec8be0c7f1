import { normalizeHeading } from '@hengfu/contract/batch-headings';
import { csvText, withoutMarks } from '@hengfu/contract/csv';
import { currencies, parseAmount } from '@hengfu/contract/money';
import { isVisible } from '@hengfu/contract/visible-text';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { languageOf } from '#domain/language.ts';
import { parseAddress, parseBlock } from '#security/addresses.ts';
import { parseBlocks } from '#security/block-lines.ts';
import { parseNode } from '#security/client-address.ts';
import { visible, visibleJson } from '#security/visible.ts';
import { everyEndpoint, everyStaffEndpoint } from '../testing/endpoints.ts';
import { isLinear } from '../testing/growth.ts';
import { isWellEncoded, parsePairs } from './form-text.ts';
import { cleanOf, cleanOfText, maskedBody, maskedQuery } from './request-log/masking.ts';
import { isCallPath, maskedCallPath, SecretPaths } from './secret-paths.ts';

/** Texts that a pattern with two ways to match would go through again and again: a run, and an end that does not fit. */
const runs = [
  ...[
    'a',
    '0',
    ' ',
    '.',
    '/',
    '-',
    '%20',
    '%2f',
    '%25',
    '\\',
    '(',
    '[',
    '"',
    '{',
    '@',
    '=',
    ',',
    ';',
    ':',
    '&',
    '*',
    '\u200b',
    '中',
  ],
  ...[
    '/.',
    '/..',
    '/../a',
    '/a/..',
    '..;/',
    '/pay',
    '/pay/..',
    '/pay/a',
    '/pay/a/..',
    '/a/b',
    '/openapi/',
    '%2fpay',
    ';/pay',
  ],
  ...[
    'sk_',
    'sk_0',
    'whsec_',
    'c2tf',
    'a@',
    '@a',
    '0-',
    '0 ',
    'a=',
    'a=&',
    '\\u',
    '\\"',
    '00:',
    '1.',
    '::',
    ' a',
    "'",
    '\t\n',
    '127.0.0.1,',
    'q=1,',
  ],
];
const shapes = [
  ['', ''],
  ['/pay/x', '!/x'],
] as const;

const hostile = runs.flatMap((run) =>
  shapes.map(([beginning, end]) => ({
    name: JSON.stringify([beginning, run, end]),
    textOf: (size: number) => beginning + run.repeat(Math.ceil(size / run.length)) + end,
  })),
);

const secretPaths = new SecretPaths([
  { path: '/pay/:token', secretParams: ['token'] },
  { path: '/api/x/:merchant/:code', secretParams: ['code'] },
  { path: '/api/x/:merchant/:list/:code', secretParams: ['merchant', 'code'] },
]);

const works: Record<string, (text: string) => unknown> = {
  'masks paths in logs': (text) => secretPaths.masked(text),
  'recognizes paths of calls': isCallPath,
  'masks paths of calls': maskedCallPath,
  'searches a text for secrets': (text) => cleanOfText(text, 'f'.repeat(64)),
  'removes secrets from a text': cleanOf('f'.repeat(64)),
  'masks bodies': (text) =>
    maskedBody({ subject: text, notifyUrl: text, payee: text, payeeAccount: text, [text]: text }),
  'masks queries': (text) => maskedQuery(`/x?${text}`),
  'parses queries': parsePairs,
  'checks encodings': isWellEncoded,
  'reads languages': languageOf,
  'reads addresses': (text) => [parseAddress(text), parseNode(text), parseBlock(text)],
  'reads lines of addresses': parseBlocks,
  'reads amounts': (text) => currencies.map((currency) => parseAmount(text, currency)),
  'reads headings of files': normalizeHeading,
  'writes cells': csvText,
  'reads cells': withoutMarks,
  'escapes texts': (text) => [visible(text), visibleJson(text), isVisible(text)],
};

it.each(Object.entries(works))('%s in linear time', (_name, work) => {
  expect(hostile.filter(({ textOf }) => !isLinear(work, textOf)).map(({ name }) => name)).toEqual([]);
});

/** A schema, whatever its kind, as far as it is needed to find those of texts in it. */
interface Inside {
  _zod: {
    def: {
      type: string;
      shape?: Record<string, Inside>;
      options?: readonly Inside[];
      element?: Inside;
      innerType?: Inside;
      valueType?: Inside;
      in?: Inside;
      transform?: unknown;
      checks?: readonly { _zod: { def: { check: string; pattern?: RegExp; fn?: unknown; tx?: unknown } } }[];
    };
  };
}

/** Describes everything that a schema does to a text: many schemas do the same. */
function nameOf({ _zod: { def } }: Inside): string {
  const checks = def.checks?.map(({ _zod: { def: check } }) =>
    [check.check, check.pattern, check.fn, check.tx].map(String),
  );
  return [def.type, checks, def.in && nameOf(def.in), String(def.transform)].flat(2).join(' ');
}

/** Collects the schemas of texts in a schema, each with whatever transforms it. */
function textsIn(schema: Inside, found: Map<string, Inside>): void {
  const { type, shape = {}, options = [], element, innerType, valueType, in: from } = schema._zod.def;
  if (type === 'string' || type === 'pipe') found.set(nameOf(schema), schema);
  for (const part of [...Object.values(shape), ...options, element, innerType, valueType, from])
    if (part) textsIn(part, found);
}

it('checks every text of every call in linear time', async () => {
  const endpoints = [...(await everyEndpoint()), ...(await everyStaffEndpoint())];
  const texts = new Map<string, Inside>();
  for (const { params, query, body } of endpoints)
    for (const schema of [params, query, body]) if (schema) textsIn(schema as unknown as Inside, texts);
  expect(texts.size).toBeGreaterThan(50);
  const slow = [...texts].flatMap(([name, schema]) =>
    ['0', ' ', '/a', 'a@', '(', '1.']
      .filter((run) => {
        const textOf = (size: number) => `x${run.repeat(size / run.length)}!`;
        return !isLinear((text) => (schema as unknown as z.ZodType).safeParse(text), textOf);
      })
      .map((run) => [run, name]),
  );
  expect(slow).toEqual([]);
});
