import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('signer');
});
afterAll(() => product.close());

const seconds = (offset: number) => String(Math.floor(Date.now() / 1000) + offset);

describe('a signed call', () => {
  const refused: [string, Parameters<TestMerchant['program']['create']>[1], object, number, string][] = [
    ['without a signature', {}, { headers: { 'x-signature': undefined } }, 401, 'signature_missing'],
    ['without a nonce', {}, { headers: { 'x-nonce': undefined } }, 401, 'signature_missing'],
    ['with a short nonce', {}, { nonce: 'short' }, 401, 'signature_missing'],
    ['wrongly signed', {}, { headers: { 'x-signature': '0'.repeat(64) } }, 401, 'signature_invalid'],
    ['with an unknown key', {}, { headers: { 'x-key': 'ak_nobody' } }, 401, 'signature_invalid'],
    ['with an expired timestamp', {}, { timestamp: seconds(-400) }, 401, 'signature_expired'],
    ['with a future timestamp', {}, { timestamp: seconds(400) }, 401, 'signature_expired'],
    ['with a malformed timestamp', {}, { timestamp: '1e9' }, 401, 'signature_expired'],
  ];
  it.each(refused)('%s is rejected and changes nothing', async (name, _fields, options, status, code) => {
    const body = { out_trade_no: `refused-${name}`.replaceAll(' ', '-'), amount: '1.00', currency: 'CNY' };
    const answer = await merchant.program.post('/openapi/v1/collections', body, options);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    const found = await merchant.program.get(`/openapi/v1/collections?out_trade_no=${body.out_trade_no}`);
    expect(found.status).toBe(404);
  });

  it('with a changed body is rejected', async () => {
    const { program } = merchant;
    const nonce = 'nonce-of-changed-body';
    const signedFor = await program.post(
      '/openapi/v1/collections',
      { out_trade_no: 'one', amount: '1.00', currency: 'CNY' },
      { nonce },
    );
    expect(signedFor.status).toBe(201);
    const answer = await program.post(
      '/openapi/v1/collections',
      { out_trade_no: 'two', amount: '9.00', currency: 'CNY' },
      {
        headers: { 'x-signature': 'f'.repeat(64) },
      },
    );
    expect(answer.json.code).toBe('signature_invalid');
  });

  it('is checked against the current key and merchant, even if the key has admitted calls before', async () => {
    const { id, program } = await product.merchant('judged');
    const admin = product.admin();
    const status = async (name: string) => {
      const { status, json } = await program.create(name);
      return status === 201 ? 'created' : json.code;
    };
    expect(await status('first')).toBe('created');
    await admin.setAllowedAddresses(id, ['192.0.2.0/24'], { confirmClosed: true });
    expect(await status('address')).toBe('address_not_allowed');
    await admin.setAllowedAddresses(id, ['127.0.0.1/32']);
    expect(await status('address')).toBe('created');
    const change = (statement: RawBuilder<unknown>) =>
      product.services.database.asSystem((tx) => statement.execute(tx.query));
    await change(sql`update merchant set suspended_at = now() where id = ${id}`);
    expect(await status('suspended')).toBe('merchant_suspended');
    await change(sql`update merchant set suspended_at = null where id = ${id}`);
    expect(await status('suspended')).toBe('created');
    await change(sql`update access_key set revoked_at = now() where key_id = 'ak_judged'`);
    expect(await status('revoked')).toBe('signature_invalid');
  });

  it('is accepted once, even if sent twenty times at once', async () => {
    const options = { nonce: 'the-same-nonce', timestamp: seconds(0) };
    const body = { out_trade_no: 'replayed', amount: '1.00', currency: 'CNY' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => merchant.program.post('/openapi/v1/collections', body, options)),
    );
    const codes = answers.map(({ status, json }) => (status === 201 ? 'created' : json.code));
    expect(codes.filter((code) => code === 'created')).toHaveLength(1);
    expect(codes.filter((code) => code === 'nonce_replayed')).toHaveLength(19);
  });

  it('consumes its nonce even if its input is rejected', async () => {
    const options = { nonce: 'nonce-of-a-bad-call', timestamp: seconds(0) };
    const bad = await merchant.program.post('/openapi/v1/collections', { out_trade_no: 'x' }, options);
    expect(bad.status).toBe(422);
    const again = await merchant.program.post('/openapi/v1/collections', { out_trade_no: 'x' }, options);
    expect(again.json.code).toBe('nonce_replayed');
  });

  it('from an address off the whitelist gets 403', async () => {
    const stranger = await product.merchant('stranger');
    await product.admin().setAllowedAddresses(stranger.id, ['203.0.113.0/24'], { confirmClosed: true });
    expect((await stranger.program.create('a')).json).toMatchObject({ code: 'address_not_allowed' });
    await product.admin().setAllowedAddresses(stranger.id, [], { confirmClosed: true });
    expect((await stranger.program.create('a')).status).toBe(403);
  });

  it('comes from its socket’s address; X-Forwarded-For counts only behind a trusted proxy', async () => {
    const options = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    const plain = await merchant.program.post(
      '/openapi/v1/collections',
      { out_trade_no: 'forwarded', amount: '1.00', currency: 'CNY' },
      options,
    );
    expect(plain.status).toBe(201);
    const proxied = await TestProduct.start(inject('ownerUrl'), { env: { TRUST_PROXY: '127.0.0.1' } });
    const behind = await proxied.merchant('behind');
    const answer = await behind.program.post(
      '/openapi/v1/collections',
      { out_trade_no: 'a', amount: '1.00', currency: 'CNY' },
      options,
    );
    expect(answer.json).toMatchObject({
      code: 'address_not_allowed',
      message: expect.stringContaining('203.0.113.9'),
    });
    await proxied.close();
  });

  it('gets the same 404 for another merchant’s order as for an unknown one', async () => {
    const other = await product.merchant('neighbour');
    const { json: order } = await merchant.program.create('mine');
    for (const path of [order.trade_no, `${order.trade_no}/cancel`, `${order.trade_no}/refund`]) {
      const method = path.includes('/') ? 'POST' : 'GET';
      const theirs = await other.program.send(method, `/openapi/v1/collections/${path}`, undefined, {});
      const none = await other.program.send(
        method,
        `/openapi/v1/collections/${path.replace(/\d/g, '0')}`,
        undefined,
        {},
      );
      expect(theirs.status).toBe(404);
      // Both name the call itself.
      const own = { request_id: '', instance: '' };
      expect({ ...theirs.json, ...own }).toEqual({ ...none.json, ...own });
    }
  });
});
