import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorStatus } from '@hengfu/contract/errors';
import { errorPagePath, openError } from '@hengfu/contract/open-api';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { translate } from '#domain/language.ts';
import { everyEndpoint } from '../../testing/endpoints.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { openApiDocument } from '../openapi-document.ts';
import { addressOf, developerDocuments } from './developer-pages.ts';
import { renderMarkdown } from './markdown.ts';

const docs = join(import.meta.dirname, '../../../../docs');
const files = await readdir(join(docs, 'errors'));
const texts = new Map(
  await Promise.all(
    files.map(
      async (file) => [file.replace('.md', ''), await readFile(join(docs, 'errors', file), 'utf8')] as const,
    ),
  ),
);
const signed = (await everyEndpoint()).filter(({ access }) => access === 'signed');

/** Every code in the document of the Open API. */
function documentedCodes(): string[] {
  const { paths } = openApiDocument('Open API', signed) as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
  };
  const replies = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses));
  const errors = replies.filter(([status]) => Number(status) >= 400);
  return [...new Set(errors.flatMap(([, { description }]) => description.split(', ')))];
}

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

describe('the pages of error codes', () => {
  it('exist for every code that a signed call returns, each with its title', () => {
    const codes = [...documentedCodes(), 'not_found'];
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !texts.has(code))).toEqual([]);
    expect(
      codes.filter((code) => translate('en', `openErrors.${code}` as never).startsWith('openErrors')),
    ).toEqual([]);
  });

  it.each([...texts])(
    '%s says what it means, why it happens, what to do and whether to repeat it',
    (code, text) => {
      const title = translate('en', `openErrors.${code}` as never);
      const status = Object.entries(errorStatus).find(([name]) => name === code)?.[1];
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
      expect(headings).toEqual([
        title,
        'Why does it happen?',
        'What should I do?',
        'Can I repeat the call?',
        'Example',
      ]);
      const [, json = ''] = /```json\n([\s\S]+?)\n```/.exec(text) ?? [];
      const example = openError.strict().parse(JSON.parse(json));
      expect(example).toMatchObject({ code, title, type: `https://pay.example${errorPagePath(code)}` });
      expect(text).toContain(`HTTP ${example.status} · \`${code}\``);
      if (status !== undefined) expect(example.status).toBe(status);
      expect(example.detail).toBe(example.message);
      for (const section of text.split(/^#+ .+$/m).slice(1))
        expect(section.trim().length).toBeGreaterThan(20);
    },
  );

  it('are served where errors link to', async () => {
    const refused = await fetch(`${product.url}/openapi/v1/balance`);
    const { type } = openError.parse(await refused.json());
    const page = await fetch(type);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toContain('<h1 id="missing-signature">Missing signature</h1>');
    expect(html).toContain('<a href="/docs/open-api#how-do-i-sign-a-request">');
    const nonce = /style-src [^;]*'nonce-([^']+)'/.exec(
      page.headers.get('content-security-policy') ?? '',
    )?.[1];
    expect(html).toContain(`<style nonce="${nonce}">`);
  });

  it.each([
    'nothing',
    'unauthenticated',
    '..%2fopen-api',
    '__proto__',
    'constructor',
    'not_found.md',
    'NOT_FOUND',
  ])('do not exist for %s', async (code) => {
    expect((await fetch(`${product.url}/docs/errors/${code}`)).status).toBe(404);
  });
});

describe('the documents for developers', () => {
  it.each(developerDocuments)('%s is served as a page, and all its links lead somewhere', async (name) => {
    const page = await fetch(`${product.url}/docs/${name}`);
    expect(page.status).toBe(200);
    const html = await page.text();
    // No mark of Markdown remains outside of code.
    const plain = html.replaceAll(/<(pre|code)[\s\S]*?<\/\1>/g, '');
    expect(plain).not.toMatch(/\*\*|```|\]\(|^\||^#/m);
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    for (const href of links.filter((each) => !each.startsWith('https:'))) {
      const { pathname, hash } = new URL(href, `${product.url}/docs/${name}`);
      const target = await (await fetch(product.url + pathname)).text();
      if (hash) expect(target, href).toContain(`id="${hash.slice(1)}"`);
      else expect(target, href).toContain('<h1');
    }
  });

  it('every link in them leads to a file', async () => {
    const all = [...developerDocuments, ...[...texts.keys()].map((code) => `errors/${code}`)];
    for (const name of all) {
      const text = await readFile(join(docs, `${name}.md`), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
        if (target.startsWith('https://')) continue;
        await expect(readFile(join(docs, name, '..', target)), `${name}: ${target}`).resolves.toBeTruthy();
      }
    }
  });

  it('escape whatever they contain, and link only to pages that are served', () => {
    const html = renderMarkdown(
      '# <b>\n\n`</code><script>` [x](javascript:alert(1)) [y](../secret.md) [z](https://a.example/"q)',
      (target) => addressOf('open-api', target),
    );
    expect(html).toBe(
      '<h1 id="b">&lt;b&gt;</h1>\n<p><code>&lt;/code&gt;&lt;script&gt;</code> x) y <a href="https://a.example/&quot;q">z</a></p>',
    );
  });
});
