import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { brunoCollection, postmanCollection } from '../../testing/client-collections.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

const folder = join(import.meta.dirname, '../../../../docs/clients');
const postmanFile = 'hengfu.postman_collection.json';
const bruno = 'bruno';

let product: TestProduct;
let merchant: TestMerchant;
let files: Map<string, string>;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('clients');
  const document = (await product.visitor().get('/api/docs/open.json')).json;
  const script = (name: string) => readFile(join(folder, `sign-${name}.js`), 'utf8');
  const postman = postmanCollection(document, await script('postman'));
  files = new Map([[postmanFile, `${JSON.stringify(postman, null, 2)}\n`]]);
  for (const [path, text] of brunoCollection(document, await script('bruno')))
    files.set(`${bruno}/${path}`, text);
  if (process.env.UPDATE_CLIENTS) {
    await rm(join(folder, bruno), { recursive: true, force: true });
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }
});
afterAll(() => product.close());

it('the collections are those of the document; UPDATE_CLIENTS=1 writes them', async () => {
  for (const [path, text] of files) expect(await readFile(join(folder, path), 'utf8'), path).toBe(text);
  const entries = await readdir(join(folder, bruno), { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  expect([...found, postmanFile].sort()).toEqual([...files.keys()].sort());
});

/** The three functions of crypto-js that the scripts use, which Postman and Bruno bring along. */
const cryptoJs = {
  SHA256: (text: string) => createHash('sha256').update(text).digest('hex'),
  HmacSHA256: (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex'),
  lib: { WordArray: { random: (bytes: number) => randomBytes(bytes).toString('hex') } },
};

/** A request as a client sends it. */
interface Sent {
  method: string;
  url: string;
  body: string | undefined;
  headers: Record<string, string>;
}

interface PostmanRequest {
  method: string;
  header: { key: string; value: string; disabled?: boolean }[];
  url: { path: string[]; query?: { key: string; value: string; disabled?: boolean }[] };
  body?: { raw: string };
}

/** Runs a signing script in a stand-in for its client, and returns the request that the client would send. */
const clients = {
  postman: (script: string, request: PostmanRequest, values: Map<string, string>): Sent => {
    const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values.get(name) ?? '');
    const headers = Object.fromEntries(
      request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]),
    );
    const query = (request.url.query ?? []).filter(({ disabled }) => !disabled);
    const search = query.map(({ key, value }) => `${key}=${value}`).join('&');
    const path = `/${request.url.path.join('/')}${search && `?${search}`}`;
    const pm = {
      variables: { set: (name: string, value: string) => values.set(name, value), replaceIn: filled },
      request: {
        method: request.method,
        url: { getPathWithQuery: () => path },
        body: request.body,
        headers: {
          upsert: ({ key, value }: { key: string; value: string }) => {
            headers[key] = value;
          },
        },
      },
    };
    runInNewContext(script, { pm, require: () => cryptoJs });
    const filledHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, filled(value)]),
    );
    return { method: request.method, url: filled(path), body: pm.request.body?.raw, headers: filledHeaders };
  },
};

describe('the collection for Postman', () => {
  it('has calls that the service accepts, signed by its script', async () => {
    const text = files.get(postmanFile) ?? '';
    const { event, item, variable } = JSON.parse(text);
    await product.fund(merchant, '100.00');
    const { json: order } = await merchant.program.create('SO-20261120-0001');
    const values = new Map<string, string>(
      variable.map(({ key, value }: { key: string; value: string }) => [key, value]),
    );
    values.set('key', merchant.program.key.id);
    values.set('secret', merchant.program.key.secret);
    values.set('trade_no', order.trade_no);
    const requests: PostmanRequest[] = item.flatMap((group: { item: { request: PostmanRequest }[] }) =>
      group.item.map(({ request }) => request),
    );
    const answers = new Map<string, number>();
    for (const request of requests) {
      const { method, url, body, headers } = clients.postman(
        event[0].script.exec.join('\n'),
        request,
        values,
      );
      const init = { method, headers, ...(body !== undefined && { body }) };
      const response = await fetch(product.url + url, init);
      answers.set(`${method} /${request.url.path.join('/')}`, response.status);
    }
    // 401 would be a wrong signature, 422 a wrong body. What is missing are only the orders that the variables name.
    const expected = [200, 201, 404, 409];
    expect([...answers].filter(([, status]) => !expected.includes(status))).toEqual([]);
    expect(answers.get('POST /openapi/v1/collections')).toBe(201);
    expect(answers.get('POST /openapi/v1/payouts')).toBe(201);
    expect(answers.get('GET /openapi/v1/collections/list')).toBe(200);
    expect(answers.get('GET /openapi/v1/collections')).toBe(200);
  });
});
