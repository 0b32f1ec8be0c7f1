import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { codeOf } from '@hengfu/server/testing/totp.ts';
import { Visitor } from '@hengfu/server/testing/visitor.ts';
import type { Credentials, StaffCaller } from './call.ts';
import { loginPassword, paymentPassword } from './samples.ts';

/** The callers with cookies, and the access key of the program that signs its calls. */
export interface People extends Record<StaffCaller, Credentials> {
  visitor: Credentials;
  admin: Credentials;
  bound: Credentials;
  /** The administrator of the first merchant in another session, in test mode. */
  tester: Credentials;
  viewer: Credentials;
  key: KeyedMerchant['key'];
}

/** A member of our staff, before signing in. */
export interface Member {
  email: string;
  password: string;
}

/** Signs a member of our staff of each role in, and opens the back office as somebody who is not signed in. */
export async function signStaffIn(
  url: string,
  members: Readonly<Record<StaffRole, Member>>,
): Promise<Record<StaffCaller, Credentials>> {
  const open = async (member?: Member): Promise<Credentials> => {
    const visitor = new Visitor(url, 'STAFF-XSRF-TOKEN');
    assertOk(await visitor.get('/api/staff/csrf-cookie'));
    if (member) assertOk(await visitor.post('/api/staff/login', member));
    return { cookies: Object.fromEntries(visitor.cookies) };
  };
  return {
    staffVisitor: await open(),
    staffAdmin: await open(members.ADMIN),
    staffReviewer: await open(members.REVIEWER),
    staffFinance: await open(members.FINANCE),
    staffSupport: await open(members.SUPPORT),
  };
}

/**
 * Signs everybody in, with confirmed passwords and payment passwords set; `bound` also gets a second factor.
 */
export async function signPeopleIn(
  url: string,
  [first, second]: readonly KeyedMerchant[],
): Promise<Omit<People, StaffCaller>> {
  if (!first || !second) throw new Error('two merchants are needed');
  const visitor = new Visitor(url);
  await visitor.get('/api/csrf-cookie');
  const admin = await signIn(url, `admin@${first.code}.test`);
  // Another session, which the administrator can end.
  await signIn(url, `admin@${first.code}.test`);
  const viewer = await signIn(url, `viewer@${first.code}.test`);
  const bound = await signIn(url, `admin@${second.code}.test`);
  for (const person of [admin, bound]) {
    const body = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
    assertOk(await person.send('PUT', '/api/merchant/payment-password', body));
  }
  assertOk(await bound.post('/api/user/two-factor-authentication', {}));
  const { secretKey: secret } = assertOk(await bound.get('/api/user/two-factor-secret-key'));
  assertOk(await bound.post('/api/user/confirmed-two-factor-authentication', { code: codeOf(secret) }));
  const credentialsOf = ({ cookies }: Visitor) => ({ cookies: Object.fromEntries(cookies) });
  return {
    visitor: credentialsOf(visitor),
    admin: { ...credentialsOf(admin), merchant: first.code },
    viewer: { ...credentialsOf(viewer), merchant: first.code },
    key: first.key,
    bound: { ...credentialsOf(bound), merchant: second.code, secret },
    tester: await switchToTestMode(await signIn(url, `admin@${first.code}.test`), first.code),
  };
}

async function switchToTestMode(person: Visitor, code: string): Promise<Credentials> {
  person.merchant = code;
  assertOk(await person.send('PUT', '/api/merchant/test-mode', { isOn: true }));
  person.merchant = undefined;
  const { data } = assertOk(await person.get('/api/merchant/user'));
  return { cookies: Object.fromEntries(person.cookies), merchant: data.merchant.code };
}

async function signIn(url: string, email: string): Promise<Visitor> {
  const visitor = new Visitor(url);
  assertOk(await visitor.signIn(email, loginPassword));
  assertOk(await visitor.post('/api/user/confirm-password', { password: loginPassword }));
  return visitor;
}

function assertOk({ status, json }: Awaited<ReturnType<Visitor['get']>>) {
  if (status >= 400) throw new Error(`the callers could not be set up: ${status} ${JSON.stringify(json)}`);
  return json;
}
