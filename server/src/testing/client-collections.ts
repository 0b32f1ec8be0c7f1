import * as z from 'zod';

const bodyShape = z.object({
  content: z.object({ 'application/json': z.object({ example: z.record(z.string(), z.unknown()) }) }),
});

/** The parts of an OpenAPI document from which collections for API clients are made. */
const documentShape = z.object({
  info: z.object({ title: z.string() }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        tags: z.array(z.string()),
        summary: z.string(),
        parameters: z
          .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
          .default([]),
        requestBody: bodyShape.optional(),
      }),
    ),
  ),
});

/** One call, ready to be sent to the demo. */
interface ClientCall {
  id: string;
  folder: string;
  summary: string;
  method: string;
  /** With `{{name}}` for each parameter of the path. */
  path: string;
  query: { name: string; isRequired: boolean }[];
  body: object | undefined;
}

/** The demo's address and key; people replace them by their own. */
const variables = {
  baseUrl: 'http://127.0.0.1:8080',
  key: 'ak_demo_hengfu',
  secret: 'sk_demo_hengfu_2026',
  trade_no: 'C261120160000618033989',
  refund_no: 'C261120160000618033989-R1',
  out_trade_no: 'SO-20261120-0001',
  out_refund_no: 'RF-20261121-0001',
  version: '2026-11-25',
};

/** Fields of a body that are new for each request, or variables. */
const filledIn: Readonly<Record<string, string>> = {
  out_trade_no: '{{number}}',
  out_refund_no: '{{number}}',
  trade_no: '{{trade_no}}',
};

/** Returns the example of a body with its numbers as variables. */
function bodyOf(requestBody: z.output<typeof bodyShape>): object {
  const { example } = requestBody.content['application/json'];
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, filledIn[name] ?? value]));
}

/** Lists the calls of a document. A call with a body needs an example of it. */
function callsOf(document: object): ClientCall[] {
  const { paths } = documentShape.parse(document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { operationId, tags, summary, parameters, requestBody }]) => {
      return {
        id: operationId,
        folder: tags[0] ?? 'other',
        summary,
        method: verb.toUpperCase(),
        path: path.replaceAll(/\{(\w+)\}/g, '{{$1}}'),
        query: parameters
          .filter((parameter) => parameter.in === 'query')
          .map(({ name, required }) => ({ name, isRequired: required === true })),
        body: requestBody && bodyOf(requestBody),
      };
    }),
  );
}

const variableOf = (name: string) => (name in variables ? `{{${name}}}` : '');

/** Builds a collection for Postman (format v2.1), which other clients import, too. */
export function postmanCollection(document: object, signing: string): object {
  const calls = callsOf(document);
  const request = ({ method, path, query, body, summary }: ClientCall) => ({
    method,
    description: summary,
    header: [
      { key: 'Hengfu-Version', value: '{{version}}' },
      ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ...(method === 'GET' ? [] : [{ key: 'Idempotency-Key', value: '{{number}}', disabled: true }]),
    ],
    url: {
      raw: `{{baseUrl}}${path}`,
      host: ['{{baseUrl}}'],
      path: path.slice(1).split('/'),
      ...(query.length > 0 && {
        query: query.map(({ name, isRequired }) => ({
          key: name,
          value: variableOf(name),
          ...(!isRequired && { disabled: true }),
        })),
      }),
    },
    ...(body && {
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    }),
  });
  return {
    info: {
      name: documentShape.parse(document).info.title,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    event: [
      { listen: 'prerequest', script: { type: 'text/javascript', exec: signing.trimEnd().split('\n') } },
    ],
    item: [...Map.groupBy(calls, ({ folder }) => folder)].map(([name, group]) => ({
      name,
      item: group.map((call) => ({ name: `${call.method} ${call.path}`, request: request(call) })),
    })),
  };
}

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');

/** Builds the files of a collection for Bruno, by path. */
export function brunoCollection(document: object, signing: string): Map<string, string> {
  const { title } = documentShape.parse(document).info;
  const files = new Map<string, string>();
  files.set('bruno.json', `${JSON.stringify({ version: '1', name: title, type: 'collection' }, null, 2)}\n`);
  files.set('collection.bru', `script:pre-request {\n${indented(signing.trimEnd())}\n}\n`);
  const values = Object.entries(variables).map(([name, value]) => `  ${name}: ${value}`);
  files.set('environments/demo.bru', `vars {\n${values.join('\n')}\n}\n`);
  for (const [index, call] of callsOf(document).entries())
    files.set(`${call.folder}/${call.id}.bru`, brunoRequest(call, index + 1));
  return files;
}

function brunoRequest({ id, method, path, query, body, summary }: ClientCall, place: number): string {
  const required = query.filter(({ isRequired }) => isRequired);
  const sent = required.map(({ name }) => `${name}=${variableOf(name)}`).join('&');
  const parts = [
    `meta {\n  name: ${id}\n  type: http\n  seq: ${place}\n}`,
    `${method.toLowerCase()} {\n  url: {{baseUrl}}${path}${sent && `?${sent}`}\n  body: ${body ? 'json' : 'none'}\n  auth: none\n}`,
  ];
  if (query.length > 0) {
    const lines = query.map(({ name, isRequired }) =>
      `  ${isRequired ? '' : '~'}${name}: ${variableOf(name)}`.trimEnd(),
    );
    parts.push(`params:query {\n${lines.join('\n')}\n}`);
  }
  const key = method === 'GET' ? '' : '\n  ~Idempotency-Key: {{number}}';
  parts.push(`headers {\n  Hengfu-Version: {{version}}${key}\n}`);
  if (body) parts.push(`body:json {\n${indented(JSON.stringify(body, null, 2))}\n}`);
  parts.push(`docs {\n  ${summary}\n}`);
  return `${parts.join('\n\n')}\n`;
}
