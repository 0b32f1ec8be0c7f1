import type { Call } from '@hengfu/torture/fuzz/call.ts';
import type { Operation } from '@hengfu/torture/fuzz/document.ts';
import type { Genes, Shape } from './hostile-shapes.ts';
import { costlyTexts, pick } from './hostile-shapes.ts';

type Fields = Record<string, unknown>;

/** Items to fill arrays with. */
const junk = ['[]', '{}', '0', '""', 'null', '{"a":[]}', '{"payee":"1","amount":"x"}', '[[[[]]]]'];
const marginBytes = 64;

const bytesOf = (genes: Genes) =>
  Math.max(marginBytes, Math.floor(genes.limitBytes * genes.share) - marginBytes);

/** Returns a text that takes up the given bytes as JSON. */
function textOf(genes: Genes, bytes: number): string {
  const unit = pick(costlyTexts, genes.text);
  return unit.repeat(Math.floor(bytes / (Buffer.byteLength(JSON.stringify(unit)) - 2)));
}

/** Joins as joinPieces pieces as fit into the given bytes; `piece` makes each from its number. */
function joinPieces(bytes: number, piece: (index: number) => string, separator: string): string {
  const pieces: string[] = [];
  for (let index = 0, size = 0; size < bytes; index++) {
    const next = piece(index);
    size += Buffer.byteLength(next) + separator.length;
    if (size < bytes) pieces.push(next);
  }
  return pieces.join(separator);
}

function fieldsOf({ body }: Call): Fields {
  const json: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : {};
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {};
}

function fieldName(call: Call, { body }: Operation, genes: Genes): string {
  const names = [...new Set([...Object.keys(body?.properties ?? {}), ...Object.keys(fieldsOf(call))])];
  return names.length === 0 ? 'x' : pick(names, genes.field);
}

const withBody = (call: Call, body: string, type = 'application/json'): Call => ({
  ...call,
  body,
  headers: { ...call.headers, 'content-type': type },
});

/** Replaces a field of the body with literal JSON. */
function withField(call: Call, operation: Operation, genes: Genes, json: string): Call {
  const name = fieldName(call, operation, genes);
  const { [name]: _, ...rest } = fieldsOf(call);
  const others = JSON.stringify(rest).slice(1, -1);
  return withBody(call, `{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:${json}}`);
}

/** Repeats the valid items of a list, such as a batch, up to the permitted number, with one field changed. */
function repeated(call: Call, operation: Operation, genes: Genes): Call {
  const fields = fieldsOf(call);
  const [name, items] = Object.entries(fields).find(([, value]) => Array.isArray(value)) ?? [];
  if (name === undefined || !Array.isArray(items)) return call;
  const maxItems = operation.body?.properties?.[name]?.maxItems ?? 1000;
  const item = items[0] as Fields;
  const fieldNames = typeof item === 'object' && item !== null ? Object.keys(item) : [];
  const badField = fieldNames.length > 0 && genes.field % 2 === 0 ? pick(fieldNames, genes.field) : undefined;
  const badText = pick(costlyTexts, genes.text).repeat(100).slice(0, 100);
  const changed = (index: number) => {
    if (fieldNames.length === 0) return item;
    const bad = badField !== undefined && { [badField]: badText };
    return { ...item, payeeAccount: `1234567${index}`, out_trade_no: `n${index}`, ...bad };
  };
  const all = Array.from({ length: Math.floor(maxItems * genes.share) }, (_, index) => changed(index));
  return withBody(call, JSON.stringify({ ...fields, [name]: all }));
}

const form = 'application/x-www-form-urlencoded';
const part = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Ways to make a body costly, by name. */
export const bodyShapes: Readonly<Record<string, Shape>> = {
  'unknown fields': (call, _, genes) =>
    withBody(call, `{${joinPieces(bytesOf(genes), (index) => `"k${index.toString(36)}":1`, ',')}}`),
  'a long text': (call, operation, genes) =>
    withField(call, operation, genes, JSON.stringify(textOf(genes, bytesOf(genes)))),
  'long texts': (call, { body }, genes) => {
    const names = Object.keys(body?.properties ?? {});
    const text = textOf(genes, bytesOf(genes) / Math.max(1, names.length));
    return withBody(call, JSON.stringify(Object.fromEntries(names.map((name) => [name, text]))));
  },
  'many items': (call, operation, genes) =>
    withField(call, operation, genes, `[${joinPieces(bytesOf(genes), () => pick(junk, genes.text), ',')}]`),
  'as many valid items as allowed': repeated,
  'nested levels': (call, operation, genes) => {
    const levels = Math.floor(bytesOf(genes) / 2);
    return withField(call, operation, genes, '['.repeat(levels) + ']'.repeat(levels));
  },
  'one field name repeated': (call, operation, genes) =>
    withBody(
      call,
      `{${joinPieces(bytesOf(genes), () => `"${fieldName(call, operation, genes)}":"x"`, ',')}}`,
    ),
  'a long number': (call, operation, genes) => withField(call, operation, genes, '9'.repeat(bytesOf(genes))),
  'escaped characters': (call, operation, genes) =>
    withField(call, operation, genes, `"${'\\u0041'.repeat(Math.floor(bytesOf(genes) / 6))}"`),
  blanks: (call, _, genes) => withBody(call, `${call.body ?? '{}'}${' '.repeat(bytesOf(genes))}`),
  'a body that ends early': (call, _, genes) => withBody(call, `{"a":${'['.repeat(bytesOf(genes))}`),
  'a form of many fields': (call, _, genes) =>
    withBody(
      call,
      joinPieces(bytesOf(genes), (index) => `k${index}=%41`, '&'),
      form,
    ),
  'a form of a long field': (call, operation, genes) => {
    const text = encodeURIComponent(pick(costlyTexts, genes.text).toWellFormed());
    const times = Math.floor(bytesOf(genes) / text.length);
    return withBody(call, `${fieldName(call, operation, genes)}=${text.repeat(times)}`, form);
  },
  'a form of many parts': (call, _, genes) => {
    const body = joinPieces(bytesOf(genes), (index) => part(`k${index}`, 'x'), '');
    return withBody(call, `${body}--b--\r\n`, 'multipart/form-data; boundary=b');
  },
  'a form without an end': (call, _, genes) =>
    withBody(call, '--b\r\n'.repeat(Math.floor(bytesOf(genes) / 5)), 'multipart/form-data; boundary=b'),
};
