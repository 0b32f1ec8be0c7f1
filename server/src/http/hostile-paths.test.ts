import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

/** Sends a request line as is, since HTTP clients would normalize it, and returns the reply's status. */
async function statusOf(method: string, target: string, head = ''): Promise<number> {
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
  socket.write(
    Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n`, 'latin1'),
  );
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1] ?? 0);
}

const targets = [
  '/api/docs/assets/../x',
  '/api/docs/assets/..%2fx',
  '/api/docs/assets/%2e%2e/%2e%2e/package.json',
  '/api/docs/assets/',
  '/api/docs/assets/.',
  '/api/docs/assets/%00',
  '/api/docs/assets/a%5c..%5cb',
  '/api/docs/assets/swagger-ui.css/',
  '/api/docs/assets/%ff',
  '/api/docs/assets//etc/passwd',
  '/%00',
  '/a%00b',
  '//etc/passwd',
  '//',
  '///',
  '/..',
  '/../..',
  '/../../etc/passwd',
  '/.%2e/x',
  '/%2e%2e',
  '/assets/..',
  '/assets/../x',
  '/assets/%00',
  '/assets/..%5c..%5cx',
  '/assets//x',
  '/assets/%2e%2e%2fx',
  '/pay/%00',
  '/pay/..',
  '/pay/%2e%2e',
  '/pay/%ff',
  '/api/%00',
  '/api/cashier/%00',
  '/api/cashier/..',
  '/api//merchant',
  '//api/merchant/user',
  '/api/../api/merchant/user',
  '/API/merchant/user',
  '/api/%61',
  '/openapi/v1/collections/..',
  '/openapi/v1//',
  '/openapi/v1/%ff',
  '/api/channels/__proto__/callback',
  '/%',
  '/%f',
  '/%zz',
  '/%c0%af',
  '/%ed%a0%80',
  '/\u00ff',
  '/a;b',
  '/a#b',
  '/a\\b',
  '/a|b',
  '/{}',
  '/[',
  '/^',
  '/?%00',
  '/?%ff',
  '/??',
  '/?a=%zz',
  '/api/csrf-cookie?a=%ff',
  '/api/csrf-cookie?%zz',
  '/api/csrf-cookie?a[b]=1',
  'http://evil.test/',
  'http://evil.test:99999/',
  'http://[',
  'evil.test:443',
  '*',
  '?',
  'x',
  '/:x',
  '/*',
  `/${'a/'.repeat(3000)}`,
  `/${'%41'.repeat(4000)}`,
  `/${'%25'.repeat(4000)}`,
  `/pay/${'x'.repeat(12_000)}`,
  '/CON',
  '/nul',
  '/.git/config',
  '/api/docs/console.json/',
  '/api/docs/none.json',
  '/healthz/',
  '/readyz/%00',
];
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND'];
const heads = ['', 'Range: bytes=9-1\r\n', 'If-Modified-Since: x\r\n', 'Accept-Encoding: br;q=x, zstd\r\n'];

/** Returns the figures behind the status page and the alerts: calls by duration, and failed calls. */
async function figures(): Promise<string> {
  await product.services.statusWatch.flush();
  const { rows } = await asOwner(product.ownerUrl, (client) =>
    client.query(`select delay_class, sum(answered) as answered, sum(failed) as failed
      from request_minute group by 1 having sum(answered) + sum(failed) > 0 order by 1`),
  );
  return JSON.stringify(rows);
}

it.each(targets)('%j does not make the service fail', async (target) => {
  const before = await figures();
  let isAnswered = false;
  for (const method of methods)
    for (const head of method === 'GET' ? heads : ['']) {
      const status = await statusOf(method, target, head);
      expect(status, `${method} ${target} ${head}`).toBeGreaterThanOrEqual(200);
      expect(status, `${method} ${target} ${head}`).toBeLessThan(500);
      if (status < 400) isAnswered = true;
    }
  if (!isAnswered) expect(await figures()).toBe(before);
});

it.each([
  '/%6fpenapi/v1/balance',
  '/openap%69/v1/balance?x=1',
  'http://a/openapi/v1/balance',
  '/%61pi/csrf-cookie',
  'http://a/api/csrf-cookie',
])('%j is no call: the log of requests and the headers of calls go by the path', async (target) => {
  expect(await statusOf('GET', target)).toBe(400);
});
