import type { Call } from '@hengfu/torture/fuzz/call.ts';
import type { Operation } from '@hengfu/torture/fuzz/document.ts';
import { hostileTexts } from '@hengfu/torture/fuzz/hostile.ts';

/** The parameters of a hostile call besides its shape. */
export interface Genes {
  /** Number that picks the field. */
  field: number;
  /** Number that picks the text. */
  text: number;
  /** Share of the size limit to use, from 0 to 1. */
  share: number;
  limitBytes: number;
}

/** Turns a valid call into a costly one. */
export type Shape = (call: Call, operation: Operation, genes: Genes) => Call;

/** Texts that may be expensive to parse, above all when repeated many times. */
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

/** Picks one of the choices by any number, modulo their count. */
export function pick<T>(choices: readonly T[], number: number): T {
  return choices[number % choices.length] as T;
}

/** Maximum size of a request's head. */
const maxHeadBytes = 14_000;
const longText = (genes: Genes, bytes: number) => {
  const text = pick(costlyTexts, genes.text);
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

/** Ways to make a query, a path or a head costly, by name. */
export const headShapes: Readonly<Record<string, Shape>> = {
  unchanged: (call) => call,
  'unknown parameters': (call, _, genes) => ({
    ...call,
    query: Array.from({ length: Math.floor((maxHeadBytes * genes.share) / 6) }, (_item, index) => [
      index.toString(36),
      '',
    ]),
  }),
  'one parameter repeated': (call, operation, genes) => ({
    ...call,
    query: Array.from({ length: Math.floor((maxHeadBytes * genes.share) / 12) }, () => [
      parameterOf(operation, genes),
      '1',
    ]),
  }),
  'a long parameter': (call, operation, genes) => ({
    ...call,
    query: [...call.query, [parameterOf(operation, genes), longText(genes, maxHeadBytes)]],
  }),
  'a long name in the path': (call, { path }, genes) => ({
    ...call,
    path: path.replaceAll(/\{\w+\}/g, encodeURIComponent(longText(genes, 190).toWellFormed()).slice(0, 600)),
  }),
  'many cookies': (call, _, genes) => ({
    ...call,
    headers: { ...call.headers, cookie: 'a=%41; '.repeat(Math.floor((maxHeadBytes * genes.share) / 7)) },
  }),
  'a long header': (call, _, genes) => ({
    ...call,
    headers: {
      ...call.headers,
      [pick(headers, genes.field)]: longText(genes, maxHeadBytes / 4).replaceAll(/[^\x20-\x7e]/g, '?'),
    },
  }),
};

function parameterOf({ parameters }: Operation, { field }: Genes): string {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  return names.length === 0 ? 'x' : pick(names, field);
}
