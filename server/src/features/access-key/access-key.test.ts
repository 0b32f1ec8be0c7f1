import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ShopProgram } from '../../testing/shop-program.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { TestProduct, testPassword } from '../../testing/test-product.ts';
import { KeyRevocationService } from '../suspension/key-revocation.service.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const path = '/api/merchant/access-key';

/** Creates a merchant with a key, and its administrator with a passkey and a confirmed password. */
async function admin() {
  const merchant = await product.merchant(`keys${++merchants}`);
  const visitor = await product.person(merchant);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  const passkey = new SoftPasskey(product.url);
  await passkey.bind(visitor);
  const reveal = async () => {
    await passkey.show(visitor);
    return visitor.get(`${path}/secret`);
  };
  const regenerate = async (overlapHours: unknown) => {
    await passkey.show(visitor);
    return visitor.send('PUT', `${path}/regenerate`, { overlapHours });
  };
  const update = async (change: object) => {
    await passkey.show(visitor);
    return visitor.send('PUT', `${path}/update`, change);
  };
  return { merchant, visitor, passkey, reveal, regenerate, update };
}

/** Creates an order with a key. Returns "created", or the error code. */
async function tryKey(key: { id: string; secret: string }, name: string): Promise<string> {
  const { status, json } = await new ShopProgram(product.url, key).create(name);
  return status === 201 ? 'created' : json.code;
}

describe('the access key', () => {
  it('hides its secret until a second factor is presented', async () => {
    const { merchant, visitor, reveal } = await admin();
    const { key } = merchant.program;
    const shown = (await visitor.get(path)).json.data;
    expect(shown).toMatchObject({ keyId: key.id, isEnabled: true, note: null, older: [] });
    expect(JSON.stringify(shown)).not.toContain(key.secret);
    expect((await visitor.get(`${path}/secret`)).json.errors).toHaveProperty('code');
    expect((await reveal()).json.data).toEqual({ keyId: key.id, secret: key.secret });
  });

  it('requires an unused authenticator code to be revealed or regenerated', async () => {
    const { visitor } = await admin();
    await visitor.post('/api/user/two-factor-authentication', {});
    const { secretKey } = (await visitor.get('/api/user/two-factor-secret-key')).json;
    const totp = new TOTP({ secret: Secret.fromBase32(secretKey) });
    const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    await visitor.post('/api/user/confirmed-two-factor-authentication', { code: codeAt(-1) });
    for (const refused of [
      await visitor.get(`${path}/secret`),
      await visitor.get(`${path}/secret?code=000000`),
      await visitor.send('PUT', `${path}/regenerate`, { overlapHours: 0 }),
    ])
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['code']]);
    expect((await visitor.get(`${path}/secret?code=${codeAt(0)}`)).status).toBe(200);
    // A code works only once.
    expect((await visitor.get(`${path}/secret?code=${codeAt(0)}`)).status).toBe(422);
  });

  it('ends the old key at once when regenerated without overlap', async () => {
    const { merchant, visitor, regenerate } = await admin();
    expect(await tryKey(merchant.program.key, 'before')).toBe('created');
    const { data } = (await regenerate(0)).json;
    expect(await tryKey({ id: data.keyId, secret: data.secret }, 'new')).toBe('created');
    expect(await tryKey(merchant.program.key, 'old')).toBe('signature_invalid');
    expect((await visitor.get(path)).json.data).toMatchObject({ keyId: data.keyId, older: [] });
  });

  it.each([1, 24])('keeps the old key valid when regenerated with an overlap of %i hours', async (hours) => {
    const { merchant, visitor, regenerate } = await admin();
    const old = merchant.program.key;
    expect(await tryKey(old, 'before')).toBe('created');
    const { data } = (await regenerate(hours)).json;
    expect(await tryKey(old, 'beside')).toBe('created');
    expect(await tryKey({ id: data.keyId, secret: data.secret }, 'new')).toBe('created');
    const { older } = (await visitor.get(path)).json.data;
    expect(older).toHaveLength(1);
    expect(Math.abs(Date.parse(older[0].endsAt) - Date.now() - hours * 3_600_000)).toBeLessThan(60_000);
    await expire(old.id, hours);
    expect(await tryKey(old, 'after')).toBe('key_expired');
  });

  it('passes its callback URL and note on to the next key, even after an operator revoked it', async () => {
    const { merchant, visitor, regenerate, update } = await admin();
    const change = { callbackUrl: 'https://shop.test/callback', note: 'shop', isEnabled: true };
    await update(change);
    const { database } = product.services;
    await new KeyRevocationService(database, 'operator:test').revokeAll(merchant.id, 'stolen');
    expect((await visitor.get(path)).json.data).toBeNull();
    const { data } = (await regenerate(0)).json;
    expect(await tryKey({ id: data.keyId, secret: data.secret }, 'new')).toBe('created');
    expect((await visitor.get(path)).json.data).toMatchObject({ keyId: data.keyId, ...change });
    expect(await tryKey(merchant.program.key, 'old')).toBe('signature_invalid');
  });

  it.each([[2], [-1], ['x'], [undefined]])('refuses an overlap of %s hours', async (overlapHours) => {
    const { regenerate } = await admin();
    const answer = await regenerate(overlapHours);
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['overlapHours']]);
  });

  it('is regenerated once per passkey assertion, even by twenty concurrent requests', async () => {
    const { visitor, passkey } = await admin();
    await passkey.show(visitor);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => visitor.send('PUT', `${path}/regenerate`, { overlapHours: 0 })),
    );
    const [succeeded, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(await tryKey({ id: succeeded?.json.data.keyId, secret: succeeded?.json.data.secret }, 'new')).toBe(
      'created',
    );
  });

  it('can be disabled and enabled again', async () => {
    const { merchant, visitor } = await admin();
    const { key } = merchant.program;
    expect(await tryKey(key, 'on')).toBe('created');
    await visitor.send('PUT', `${path}/update`, { note: 'the shop', isEnabled: false });
    expect(await tryKey(key, 'off')).toBe('key_disabled');
    expect((await visitor.get(path)).json.data).toMatchObject({ isEnabled: false, note: 'the shop' });
    await visitor.send('PUT', `${path}/update`, { isEnabled: 'on' });
    expect(await tryKey(key, 'on-again')).toBe('created');
  });

  it('provides the callback URL of orders that name none', async () => {
    const { merchant, visitor, update } = await admin();
    const wrong = await visitor.send('PUT', `${path}/update`, {
      callbackUrl: 'ftp://a.test',
      isEnabled: true,
    });
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ['callbackUrl']]);
    await update({ callbackUrl: 'https://a.test/key', isEnabled: true });
    const { program } = merchant;
    const notifyUrlOf = async (name: string, fields = {}) => {
      const { json } = await program.create(name, fields);
      const detail = await visitor.get(`/api/merchant/collections/${json.trade_no}`);
      return detail.json.data.notifyUrl;
    };
    expect(await notifyUrlOf('open')).toBe('https://a.test/key');
    expect(await notifyUrlOf('own', { notifyUrl: 'https://b.test/own' })).toBe('https://b.test/own');
    await update({ callbackUrl: '', isEnabled: true });
    // A repeated call returns the same order, even though the key has changed since.
    expect((await program.create('open')).status).toBe(201);
    expect(await notifyUrlOf('none')).toBeNull();
  });

  /** Expires a key now, if it was to expire within the given hours. */
  async function expire(keyId: string, hours: number): Promise<void> {
    await product.services.database.asSystem(async (tx) => {
      await tx.query
        .updateTable('access_key')
        .set({ ends_at: new Date(Date.now() - 1000) })
        .where('key_id', '=', keyId)
        .where('ends_at', '<=', new Date(Date.now() + hours * 3_600_000 + 60_000))
        .execute();
    });
  }
});
