import type { Call } from '@hengfu/torture/fuzz/call.ts';
import type { Operation } from '@hengfu/torture/fuzz/document.ts';
import type { Genes, Shape } from './hostile-shapes.ts';
import { costlyTexts, of } from './hostile-shapes.ts';

type Fields = Record<string, unknown>;

/** What an array is filled with. */
const junk = ['[]', '{}', '0', '""', 'null', '{"a":[]}', '{"payee":"1","amount":"x"}', '[[[[]]]]'];
const margin = 64;

const bytesOf = (genes: Genes) => Math.max(margin, Math.floor(genes.limitBytes * genes.share) - margin);

/** Text in JSON that takes so many bytes. */
function textOf(genes: Genes, bytes: number): string {
  const unit = of(costlyTexts, genes.text);
  return unit.repeat(Math.floor(bytes / (Buffer.byteLength(JSON.stringify(unit)) - 2)));
}

/** So many different pieces as fit, each made of its number. */
function many(bytes: number, piece: (index: number) => string, between: string): string {
  const pieces: string[] = [];
  for (let index = 0, size = 0; size < bytes; index++) {
    const next = piece(index);
    size += Buffer.byteLength(next) + between.length;
    if (size < bytes) pieces.push(next);
  }
  return pieces.join(between);
}

function fieldsOf({ body }: Call): Fields {
  const json: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : {};
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {};
}

function nameOf(call: Call, { body }: Operation, genes: Genes): string {
  const names = [...new Set([...Object.keys(body?.properties ?? {}), ...Object.keys(fieldsOf(call))])];
  return names.length === 0 ? 'x' : of(names, genes.field);
}

const sent = (call: Call, body: string, type = 'application/json'): Call => ({
  ...call,
  body,
  headers: { ...call.headers, 'content-type': type },
});

/** A body whose field holds a piece of JSON as it stands. */
function withField(call: Call, operation: Operation, genes: Genes, json: string): Call {
  const name = nameOf(call, operation, genes);
  const { [name]: _, ...rest } = fieldsOf(call);
  const others = JSON.stringify(rest).slice(1, -1);
  return sent(call, `{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:${json}}`);
}

/** A batch, an address list: what is right, as often as it may be, with one cell of it changed. */
function repeated(call: Call, operation: Operation, genes: Genes): Call {
  const fields = fieldsOf(call);
  const [name, items] = Object.entries(fields).find(([, value]) => Array.isArray(value)) ?? [];
  if (name === undefined || !Array.isArray(items)) return call;
  const most = operation.body?.properties?.[name]?.maxItems ?? 1000;
  const item = items[0] as Fields;
  const cells = typeof item === 'object' && item !== null ? Object.keys(item) : [];
  const cell = cells.length > 0 && genes.field % 2 === 0 ? of(cells, genes.field) : undefined;
  const changed = (index: number) => {
    if (cells.length === 0) return item;
    const wrong = cell !== undefined && { [cell]: of(costlyTexts, genes.text).repeat(100).slice(0, 100) };
    return { ...item, payeeAccount: `1234567${index}`, out_trade_no: `n${index}`, ...wrong };
  };
  const all = Array.from({ length: Math.floor(most * genes.share) }, (_, index) => changed(index));
  return sent(call, JSON.stringify({ ...fields, [name]: all }));
}

const form = 'application/x-www-form-urlencoded';
const part = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** What a body can be. */
export const bodyShapes: Readonly<Record<string, Shape>> = {
  'unknown fields': (call, _, genes) =>
    sent(call, `{${many(bytesOf(genes), (index) => `"k${index.toString(36)}":1`, ',')}}`),
  'a long text': (call, operation, genes) =>
    withField(call, operation, genes, JSON.stringify(textOf(genes, bytesOf(genes)))),
  'long texts': (call, { body }, genes) => {
    const names = Object.keys(body?.properties ?? {});
    const text = textOf(genes, bytesOf(genes) / Math.max(1, names.length));
    return sent(call, JSON.stringify(Object.fromEntries(names.map((name) => [name, text]))));
  },
  'many items': (call, operation, genes) =>
    withField(call, operation, genes, `[${many(bytesOf(genes), () => of(junk, genes.text), ',')}]`),
  'right items, as many as may be': repeated,
  'nested levels': (call, operation, genes) => {
    const levels = Math.floor(bytesOf(genes) / 2);
    return withField(call, operation, genes, '['.repeat(levels) + ']'.repeat(levels));
  },
  'one name again and again': (call, operation, genes) =>
    sent(call, `{${many(bytesOf(genes), () => `"${nameOf(call, operation, genes)}":"x"`, ',')}}`),
  'a long number': (call, operation, genes) => withField(call, operation, genes, '9'.repeat(bytesOf(genes))),
  'escaped characters': (call, operation, genes) =>
    withField(call, operation, genes, `"${'\\u0041'.repeat(Math.floor(bytesOf(genes) / 6))}"`),
  blanks: (call, _, genes) => sent(call, `${call.body ?? '{}'}${' '.repeat(bytesOf(genes))}`),
  'a body that ends early': (call, _, genes) => sent(call, `{"a":${'['.repeat(bytesOf(genes))}`),
  'a form of many fields': (call, _, genes) =>
    sent(
      call,
      many(bytesOf(genes), (index) => `k${index}=%41`, '&'),
      form,
    ),
  'a form of a long field': (call, operation, genes) => {
    const text = encodeURIComponent(of(costlyTexts, genes.text).toWellFormed());
    const times = Math.floor(bytesOf(genes) / text.length);
    return sent(call, `${nameOf(call, operation, genes)}=${text.repeat(times)}`, form);
  },
  'a form of many parts': (call, _, genes) => {
    const body = many(bytesOf(genes), (index) => part(`k${index}`, 'x'), '');
    return sent(call, `${body}--b--\r\n`, 'multipart/form-data; boundary=b');
  },
  'parts that never end': (call, _, genes) =>
    sent(call, '--b\r\n'.repeat(Math.floor(bytesOf(genes) / 5)), 'multipart/form-data; boundary=b'),
};
