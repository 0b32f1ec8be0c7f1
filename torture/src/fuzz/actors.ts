import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { codeOf } from '@hengfu/server/testing/totp.ts';
import { Visitor } from '@hengfu/server/testing/visitor.ts';
import { loginPassword, paymentPassword } from './samples.ts';

/** What somebody brings along besides the call. */
export interface Credentials {
  cookies: Readonly<Record<string, string>>;
  /** Of the authenticator app, where one is bound. */
  secret?: string;
}

/** Everybody who calls with cookies, and the key of the program that signs. */
export interface People {
  visitor: Credentials;
  admin: Credentials;
  bound: Credentials;
  viewer: Credentials;
  key: KeyedMerchant['key'];
}

/** Signs everybody in, passwords confirmed, payment passwords set; `bound` has a second factor, too. */
export async function signPeopleIn(url: string, [first, second]: readonly KeyedMerchant[]): Promise<People> {
  if (!first || !second) throw new Error('there are two merchants');
  const visitor = new Visitor(url);
  await visitor.get('/api/csrf-cookie');
  const admin = await signedIn(url, `admin@${first.code}.test`);
  const viewer = await signedIn(url, `viewer@${first.code}.test`);
  const bound = await signedIn(url, `admin@${second.code}.test`);
  for (const person of [admin, bound]) {
    const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
    must(await person.send('PUT', '/api/merchant/payment-password', set));
  }
  must(await bound.post('/api/user/two-factor-authentication', {}));
  const { secretKey: secret } = must(await bound.get('/api/user/two-factor-secret-key'));
  must(await bound.post('/api/user/confirmed-two-factor-authentication', { code: codeOf(secret) }));
  const of = ({ cookies }: Visitor) => ({ cookies: Object.fromEntries(cookies) });
  return {
    visitor: of(visitor),
    admin: of(admin),
    viewer: of(viewer),
    key: first.key,
    bound: { ...of(bound), secret },
  };
}

async function signedIn(url: string, email: string): Promise<Visitor> {
  const visitor = new Visitor(url);
  must(await visitor.signIn(email, loginPassword));
  must(await visitor.post('/api/user/confirm-password', { password: loginPassword }));
  return visitor;
}

function must({ status, json }: Awaited<ReturnType<Visitor['get']>>) {
  if (status >= 400) throw new Error(`the target could not be set: ${status} ${JSON.stringify(json)}`);
  return json;
}
