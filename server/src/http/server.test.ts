import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

describe('every reply', () => {
  it('carries the headers that keep browsers careful', async () => {
    const { headers } = await product.visitor().get('/api/csrf-cookie');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}'/);
    expect(policy).not.toMatch(/unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has a nonce of its own', async () => {
    const [one, other] = await Promise.all([
      product.visitor().get('/healthz'),
      product.visitor().get('/healthz'),
    ]);
    expect(one.headers.get('content-security-policy')).not.toBe(other.headers.get('content-security-policy'));
  });

  it('is JSON for a call that does not exist', async () => {
    const { status, json } = await product.visitor().get('/api/nothing');
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});

describe('the documents', () => {
  it('list every endpoint as OpenAPI 3.1', async () => {
    const { json } = await product.visitor().get('/api/docs/open.json');
    expect(json.openapi).toBe('3.1.0');
    expect(Object.keys(json.paths)).toContain('/openapi/v1/collections/{trade_no}');
    expect(
      json.paths['/openapi/v1/collections'].post.requestBody.content['application/json'].schema.required,
    ).toEqual(['out_trade_no', 'amount', 'currency']);
    expect((await product.visitor().get('/api/docs')).json).toContain('swagger-ui-bundle.js');
  });
});

describe('health', () => {
  it('tells that the process and the database are there', async () => {
    expect((await product.visitor().get('/healthz')).json).toEqual({ status: 'ok' });
    expect((await product.visitor().get('/readyz')).json).toEqual({ status: 'ready' });
  });
});
