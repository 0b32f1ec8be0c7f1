import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { keepRealPasswords } from '../../../testing/quick-argon2.ts';
import { SoftPasskey } from '../../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../../testing/test-product.ts';
import type { Visitor } from '../../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let users = 0;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('passkeys');
});
afterAll(() => product.close());

const challenge = '/api/two-factor-challenge';
const passkeys = '/api/merchant/passkeys';

/** A new user, signed in with the password confirmed, and a passkey bound to it. */
async function personWithPasskey(): Promise<{ visitor: Visitor; email: string; key: SoftPasskey }> {
  const email = `user${++users}@passkeys.test`;
  const user = { email, name: 'U', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  const visitor = product.visitor();
  await visitor.signIn(email, testPassword);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  const key = new SoftPasskey(product.url);
  const answer = await key.bind(visitor);
  expect([answer.status, answer.json]).toEqual([201, '']);
  return { visitor, email, key };
}

/** A visitor who has entered the right password, and the WebAuthn options for the challenge. */
async function afterPassword(email: string) {
  const visitor = product.visitor();
  expect((await visitor.signIn(email, testPassword)).json).toEqual({ two_factor: true });
  const { data } = (await visitor.post(`${challenge}/options`, {})).json;
  return { visitor, data };
}

describe('a passkey', () => {
  it('is bound, listed, requested at sign-in instead of a code, and removed', async () => {
    const { visitor, email, key } = await personWithPasskey();
    const me = (await visitor.get('/api/merchant/user')).json.data;
    expect([me.twoFactor, me.factors]).toEqual(['on', ['passkey']]);
    const [shown] = (await visitor.get(passkeys)).json.data;
    expect(shown).toMatchObject({ name: 'Soft key', lastUsedAt: null });
    expect((await visitor.get('/api/user/two-factor-recovery-codes')).json).toHaveLength(8);

    const half = await afterPassword(email);
    expect(half.data.app).toBe(false);
    expect(half.data.passkey.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([key.id]);
    const passkey = key.sign(half.data.passkey);
    expect((await half.visitor.post(challenge, { passkey })).status).toBe(204);
    expect((await half.visitor.get('/api/merchant/user')).json.data.email).toBe(email);
    expect((await visitor.get(passkeys)).json.data[0].lastUsedAt).not.toBeNull();

    expect((await visitor.send('DELETE', `${passkeys}/${shown.id}`)).status).toBe(204);
    expect((await visitor.send('DELETE', `${passkeys}/${shown.id}`)).status).toBe(404);
    expect((await visitor.get('/api/user/two-factor-recovery-codes')).json).toEqual([]);
    expect((await product.visitor().signIn(email, testPassword)).json).toEqual({ two_factor: false });
  });

  it('can be replaced by a recovery code at sign-in', async () => {
    const { visitor: owner, email } = await personWithPasskey();
    const [code] = (await owner.get('/api/user/two-factor-recovery-codes')).json;
    const { visitor } = await afterPassword(email);
    expect((await visitor.post(challenge, { code: '123456' })).json.errors).toHaveProperty('code');
    expect((await visitor.post(challenge, { recovery_code: code })).status).toBe(204);
  });

  it('is deleted when two-factor is turned off', async () => {
    const { visitor, email } = await personWithPasskey();
    await visitor.send('DELETE', '/api/user/two-factor-authentication');
    expect((await visitor.get(passkeys)).json.data).toEqual([]);
    expect((await product.visitor().signIn(email, testPassword)).json).toEqual({ two_factor: false });
  });

  const wrong: [string, (key: SoftPasskey, request: Request) => object][] = [
    ['of another user', (_key, request) => new SoftPasskey(product.url).sign(request)],
    ['that signs another challenge', (key, request) => key.sign({ ...request, challenge: 'AAAA' })],
    ['for another site', (key, request) => key.sign({ ...request, rpId: 'evil.example' })],
    [
      'used on another origin',
      (key, request) => {
        key.origin = 'http://localhost:1';
        return key.sign(request);
      },
    ],
    [
      'whose counter goes back',
      (key, request) => {
        key.signCount = -1;
        return key.sign(request);
      },
    ],
    ['that is malformed', () => ({ id: 'x', rawId: 'x', type: 'public-key', response: {} })],
  ];
  it.each(wrong)('%s is refused, and the sign-in stays pending', async (_name, signed) => {
    const { visitor: owner, email, key } = await personWithPasskey();
    // Only a counter above zero can go back.
    key.signCount = 7;
    await key.show(owner);
    const { visitor, data } = await afterPassword(email);
    const { origin, signCount } = key;
    const answer = await visitor.post(challenge, { passkey: signed(key, data.passkey) });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.errors)[0]).toMatch(/^passkey/);
    Object.assign(key, { origin, signCount });
    const again = (await visitor.post(`${challenge}/options`, {})).json.data.passkey;
    expect((await visitor.post(challenge, { passkey: key.sign(again) })).status).toBe(204);
  });

  it('opens one session in twenty concurrent attempts with one signature', async () => {
    const { email, key } = await personWithPasskey();
    const { visitor, data } = await afterPassword(email);
    const passkey = key.sign(data.passkey);
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.post(challenge, { passkey })));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.every(({ status }) => [204, 422, 429].includes(status))).toBe(true);
  });

  it('is verified for one action only', async () => {
    const { visitor, key } = await personWithPasskey();
    const reveal = () => visitor.get('/api/merchant/access-key/secret');
    expect((await reveal()).json.errors).toHaveProperty('code');
    expect((await key.show(visitor)).status).toBe(204);
    const answers = await Promise.all(Array.from({ length: 20 }, reveal));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await reveal()).status).toBe(422);
  });

  it('is bound to one user only, and only with a challenge of the same session', async () => {
    const { visitor, key } = await personWithPasskey();
    expect((await key.bind(visitor)).json.code).toBe('conflict');
    const other = new SoftPasskey(product.url);
    const { data } = (await visitor.post(`${passkeys}/options`, {})).json;
    const stranger = (await personWithPasskey()).visitor;
    const credential = other.make(data);
    expect((await stranger.post(passkeys, { name: 'n', credential })).json.errors).toHaveProperty(
      'credential',
    );
    expect((await visitor.post(passkeys, { name: 'n', credential })).status).toBe(201);
  });

  it('does not reveal whether a sign-in is pending', async () => {
    const stranger = product.visitor();
    await stranger.get('/api/csrf-cookie');
    const { status, json } = await stranger.post(`${challenge}/options`, {});
    expect([status, json.data]).toEqual([200, { app: true, passkey: null }]);
  });
});

interface Request {
  challenge: string;
  rpId: string;
}
