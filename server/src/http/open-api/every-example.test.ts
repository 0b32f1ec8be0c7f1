import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, CheckedDocument } from '../../testing/code-blocks.ts';
import { everyEndpoint } from '../../testing/endpoints.ts';

const root = join(import.meta.dirname, '../../../..');

/** The documents whose blocks are run, or compared, by the named tests. Each of these fails if a block is added that it does not know. */
const checked: Readonly<Record<string, string>> = {
  'docs/open-api.md': 'examples.test',
  'docs/open-api-payouts.md': 'examples.test',
  'docs/open-api-versions.md': 'examples.test',
  'docs/quickstart.md': 'examples.test',
  'sdk/typescript/README.md': 'the stage sdk',
  'sdk/python/README.md': 'the stage sdk',
  'sdk/go/README.md': 'the stage sdk',
  'sdk/php/README.md': 'the stage sdk',
  'sdk/java/README.md': 'the stage sdk',
};

const documentsIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`);
const forDevelopers = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => /^(open-api|quickstart)/.test(name))
    .map((name) => `docs/${name}`),
  ...['docs/clients', 'docs/guide', 'docs/errors', 'sdk'].flatMap(documentsIn),
];

it.each(forDevelopers.filter((path) => !(path in checked)))('%s has no block that no test runs', (path) => {
  const document = new CheckedDocument(path);
  // `developer-pages.test` compares the one reply of each page with the shape of all errors.
  if (path.startsWith('docs/errors/')) document.take('json');
  expect(document.left).toEqual([]);
});

it('knows every checked document, and finds blocks however they are fenced', () => {
  for (const path of Object.keys(checked)) expect(forDevelopers).toContain(path);
  const text = '```js\na\n```\n\n- item\n\n  ```\n  b\n  ```\n\n```http title="x"\nc\n```\n';
  expect(blocksOf(text).map(({ language, code }) => [language, code.trim()])).toEqual([
    ['js', 'a'],
    ['', 'b'],
    ['http', 'c'],
  ]);
});

const signed = (await everyEndpoint()).filter(({ access }) => access === 'signed');

it.each(signed.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s has an example of all input that it needs, which its schemas accept',
  (_, { params, query, body, example = {} }) => {
    for (const [schema, input] of [
      [params, example.params],
      [query, example.query],
      [body, example.body],
    ] as const)
      expect(schema?.safeParse(input ?? {}).error).toBeUndefined();
  },
);
