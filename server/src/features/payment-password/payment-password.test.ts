import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let users = 0;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('payers');
});
afterAll(() => product.close());

const path = '/api/merchant/payment-password';
const fields = ({ status, json }: Answer) => [status, Object.keys(json.errors ?? {})];
const twice = (password: string) => ({
  payment_password: password,
  payment_password_confirmation: password,
});

/** A new user with the login password confirmed. */
async function person(): Promise<Visitor> {
  const email = `user${++users}@payers.test`;
  const user = { email, name: 'U', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  const visitor = product.visitor();
  await visitor.signIn(email, testPassword);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  return visitor;
}

describe('the payment password', () => {
  it('is set once, and then changed only with the current one', async () => {
    const visitor = await person();
    expect((await visitor.get(path)).json.data).toEqual({ isSet: false, lockedSeconds: 0 });
    const set = await visitor.send('PUT', path, twice('888888'));
    expect([set.status, set.json]).toEqual([200, '']);
    expect((await visitor.get(path)).json.data).toEqual({ isSet: true, lockedSeconds: 0 });
    expect(fields(await visitor.send('PUT', path, twice('999999')))).toEqual([
      422,
      ['current_payment_password'],
    ]);
    const changed = await visitor.send('PUT', path, {
      ...twice('999999'),
      current_payment_password: '888888',
    });
    expect(changed.status).toBe(200);
  });

  it.each([undefined, ''])('asks for the confirmation if it is %j', async (confirmation) => {
    const visitor = await person();
    const body = { payment_password: '888888', payment_password_confirmation: confirmation };
    expect((await visitor.send('PUT', path, body)).json.errors).toEqual({
      payment_password_confirmation: ['Please enter the confirmation password.'],
    });
  });

  it.each<[string, object]>([
    ['none', {}],
    ['five characters', twice('12345')],
    [
      'one with a different confirmation',
      { payment_password: '888888', payment_password_confirmation: '888889' },
    ],
    ['129 characters', twice('x'.repeat(129))],
  ])('refuses %s', async (_name, body) => {
    const visitor = await person();
    expect(fields(await visitor.send('PUT', path, body))).toEqual([422, ['payment_password']]);
    expect((await visitor.get(path)).json.data.isSet).toBe(false);
  });

  it('is locked for 15 minutes after five wrong attempts, even concurrent ones', async () => {
    const visitor = await person();
    await visitor.send('PUT', path, twice('888888'));
    const wrong = { ...twice('999999'), current_payment_password: 'wrong' };
    const answers = await Promise.all(Array.from({ length: 9 }, () => visitor.send('PUT', path, wrong)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    const right = { ...twice('999999'), current_payment_password: '888888' };
    const locked = await visitor.send('PUT', path, right);
    expect([locked.status, locked.json.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(850);
    expect((await visitor.get(path)).json.data.lockedSeconds).toBeGreaterThan(850);

    await product.services.database.asSystem((tx) =>
      sql`update sign_in_throttle set blocked_until = now() where blocked_until > now()`.execute(tx.query),
    );
    expect(fields(await visitor.send('PUT', path, wrong))).toEqual([422, ['current_payment_password']]);
    expect((await visitor.send('PUT', path, right)).status).toBe(200);
  });
});
