import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

describe('every reply', () => {
  it('carries security headers', async () => {
    const { headers } = await product.visitor().get('/api/csrf-cookie');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}'/);
    expect(policy).not.toMatch(/unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has its own nonce', async () => {
    const [one, other] = await Promise.all([
      product.visitor().get('/healthz'),
      product.visitor().get('/healthz'),
    ]);
    expect(one.headers.get('content-security-policy')).not.toBe(other.headers.get('content-security-policy'));
  });

  it.each([
    ['a path that can’t be decoded', '/api/cashier/%zz', 400, 'bad_request'],
    ['a path parameter that is too long', `/api/cashier/${'x'.repeat(300)}`, 404, 'not_found'],
    ['headers that are too long', '/api/csrf-cookie', 413, 'payload_too_large'],
  ])('has the standard error body, even for %s', async (what, path, status, code) => {
    const headers: Record<string, string> = what.startsWith('headers')
      ? { 'x-long': 'x'.repeat(20_000) }
      : {};
    const answer = await product.visitor().get(path, headers);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.json.request_id).toBe(answer.headers.get('x-request-id'));
    expect(answer.json.message).not.toBe('');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has the standard error body even for bytes that are not HTTP, and ends the connection', async () => {
    const { port } = new URL(product.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /api/\0 HTTP/1.1\r\n\r\n'));
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(body ?? '')).toMatchObject({ code: 'bad_request', message: expect.any(String) });
  });

  it.each(['--b\r\ncontent-disposition: form-data; name="email"\r\n\r\na', 'x'])(
    'rejects a truncated form (%j)',
    async (body) => {
      const visitor = product.visitor();
      await visitor.get('/api/csrf-cookie');
      const type = { 'content-type': 'multipart/form-data; boundary=b' };
      const { status, json } = await visitor.post('/api/login', body, type);
      expect([status, json.code]).toEqual([400, 'bad_request']);
    },
  );

  it('names unknown fields as sent, even if every JavaScript object has them', async () => {
    const visitor = product.visitor();
    const { status, json } = await visitor.post(
      `/api/cashier/${'x'.repeat(30)}/pay`,
      '{"channel":"CN_BANK","toString":1,"hasOwnProperty":1,"valueOf":1}',
    );
    expect([status, Object.keys(json.errors).sort()]).toEqual([
      422,
      ['hasOwnProperty', 'toString', 'valueOf'],
    ]);
  });

  it('is JSON for a call that does not exist', async () => {
    const { status, json } = await product.visitor().get('/api/nothing');
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});

describe('the API documents', () => {
  it('list every endpoint as OpenAPI 3.1', async () => {
    const { json } = await product.visitor().get('/api/docs/open.json');
    expect(json.openapi).toBe('3.1.0');
    expect(Object.keys(json.paths)).toContain('/openapi/v1/collections/{trade_no}');
    expect(
      json.paths['/openapi/v1/collections'].post.requestBody.content['application/json'].schema.required,
    ).toEqual(['out_trade_no', 'amount', 'currency']);
    expect((await product.visitor().get('/api/docs')).json).toContain('swagger-ui-bundle.js');
  });

  it('list the replies to an unreadable body and to a write without its token', async () => {
    const { paths } = (await product.visitor().get('/api/docs/console.json')).json;
    const login = Object.keys(paths['/api/login'].post.responses);
    expect(login).toEqual(expect.arrayContaining(['400', '413', '415', '419']));
    expect(Object.keys(paths['/api/cashier/{token}/pay'].post.responses)).not.toContain('419');
    expect(Object.keys(paths['/api/cashier/{token}'].get.responses)).not.toContain('415');
  });
});

describe('health', () => {
  it('reports that the process and the database are up', async () => {
    expect((await product.visitor().get('/healthz')).json).toEqual({ status: 'ok' });
    expect((await product.visitor().get('/readyz')).json).toEqual({ status: 'ready' });
  });
});
