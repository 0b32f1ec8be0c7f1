import type { Call } from '@hengfu/torture/fuzz/call.ts';
import type { Operation } from '@hengfu/torture/fuzz/document.ts';
import { hostileTexts } from '@hengfu/torture/fuzz/hostile.ts';

/** What a hostile call is made of, besides its shape. */
export interface Genes {
  /** Which field, by number. */
  field: number;
  /** Which text. */
  text: number;
  /** Of what the call may send, from 0 to 1. */
  share: number;
  limitBytes: number;
}

/** Makes a call costly. */
export type Shape = (call: Call, operation: Operation, genes: Genes) => Call;

/** Texts that may cost whoever reads them much, above all many times over. */
export const costlyTexts: readonly string[] = [
  'x',
  '0',
  '１',
  'ﷺ',
  'İ',
  '\n',
  'x\n',
  '1.1.1.1/8\n',
  '::1\n',
  ' ',
  'a,',
  '{{a}}',
  '$t(',
  '%',
  '<',
  '😀',
  'e\u0301',
  '.',
  '1:',
  ':',
  '-',
  '_',
  '"',
  '\\',
  '=',
  'A1',
  '0.',
  'a@',
  '@a.',
  ' a',
  'a ',
  ';q=0.1,',
  'paid,',
  ...hostileTexts,
];

/** One of some, whatever the number. */
export function of<T>(choices: readonly T[], number: number): T {
  return choices[number % choices.length] as T;
}

/** What the head of a request may hold in all. */
const mostHeadBytes = 14_000;
const textAs = (genes: Genes, bytes: number) => {
  const text = of(costlyTexts, genes.text);
  return text.repeat(
    Math.ceil((bytes * genes.share) / Math.max(1, encodeURIComponent(text.toWellFormed()).length)),
  );
};
const headers = [
  'accept-language',
  'content-type',
  'x-xsrf-token',
  'idempotency-key',
  'user-agent',
  'x-signature',
  'x-key',
  'range',
  'if-none-match',
  'if-modified-since',
  'x-forwarded-for',
  'forwarded',
  'accept-encoding',
  'referer',
];

/** What a query, a path and a head can be. */
export const headShapes: Readonly<Record<string, Shape>> = {
  'as it should be': (call) => call,
  'unknown parameters': (call, _, genes) => ({
    ...call,
    query: Array.from({ length: Math.floor((mostHeadBytes * genes.share) / 6) }, (_item, index) => [
      index.toString(36),
      '',
    ]),
  }),
  'one parameter again and again': (call, operation, genes) => ({
    ...call,
    query: Array.from({ length: Math.floor((mostHeadBytes * genes.share) / 12) }, () => [
      parameterOf(operation, genes),
      '1',
    ]),
  }),
  'a long parameter': (call, operation, genes) => ({
    ...call,
    query: [...call.query, [parameterOf(operation, genes), textAs(genes, mostHeadBytes)]],
  }),
  'a long name in the path': (call, { path }, genes) => ({
    ...call,
    path: path.replaceAll(/\{\w+\}/g, encodeURIComponent(textAs(genes, 190).toWellFormed()).slice(0, 600)),
  }),
  'many cookies': (call, _, genes) => ({
    ...call,
    headers: { ...call.headers, cookie: 'a=%41; '.repeat(Math.floor((mostHeadBytes * genes.share) / 7)) },
  }),
  'a long header': (call, _, genes) => ({
    ...call,
    headers: {
      ...call.headers,
      [of(headers, genes.field)]: textAs(genes, mostHeadBytes / 4).replaceAll(/[^\x20-\x7e]/g, '?'),
    },
  }),
};

function parameterOf({ parameters }: Operation, { field }: Genes): string {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  return names.length === 0 ? 'x' : of(names, field);
}
