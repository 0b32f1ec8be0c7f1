import { randomBytes, randomInt } from 'node:crypto';
import { securityActions } from '@hengfu/contract/profile';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { greyPng } from '../demo/picture.ts';
import { UserService } from '../features/merchants/users.service.ts';
import { everyEndpoint } from '../testing/endpoints.ts';
import { SoftPasskey } from '../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import { codeOf } from '../testing/totp.ts';
import { until } from '../testing/until.ts';
import type { Answer, Visitor } from '../testing/visitor.ts';

/** A row of the audit trail. */
interface Row {
  actor: string;
  action: string;
  address: string | null;
  request_id: string | null;
  before: object | null;
  after: object | null;
}

/** A call that changes money, access or settings, and what the trail must record of it. */
interface AuditedCall {
  call: string;
  action: string;
  /** The actor that the trail must name; the signed-in person if absent. */
  actor?: () => string;
  /** Which states the row must contain. */
  holds?: ('before' | 'after')[];
  /** How many rows record it; one if absent. */
  times?: number;
  /** Sets up the call; its result is passed to `make`. */
  prepare?: () => Promise<string>;
  make: (prepared: string) => Promise<Answer>;
}

/** Calls that write, but change neither money nor access nor settings. */
const withoutTrail = {
  'POST /api/cashier/:token/pay': 'a payer’s choice of channel, stored with the order',
  'POST /api/pay-links/:token/orders': 'a payer’s order, which moves no money until it is paid',
  'POST /openapi/v1/collections': 'moves no money until it is paid',
  'POST /api/merchant/ip-address/preview': 'changes nothing',
  'POST /api/merchant/payout-batches/check': 'changes nothing',
  'PUT /api/merchant/notices/read': 'marks notifications as read',
  'PUT /api/merchant/announcements/:id/dismissal': 'hides an announcement from one person',
  'POST /api/merchant/totals': 'changes nothing',
  'POST /api/merchant/saved-views': 'a person’s own view of a list',
  'DELETE /api/merchant/saved-views/:id': 'the same',
  'DELETE /api/merchant/dashboard/first-steps': 'hides a hint from one person',
  'POST /api/merchant/passkeys/options': 'a challenge',
  'POST /api/merchant/passkeys/proof/options': 'a challenge',
  'POST /api/merchant/passkeys/proof': 'proves a factor; the action that needs it is recorded',
  'POST /api/two-factor-challenge/options': 'a challenge',
};

/** Tables that a failed call must not change. Throttles, nonces and proven factors are exempt. */
const unchangedTables = [
  'app_user',
  'membership',
  'invitation',
  'merchant',
  'access_key',
  'passkey',
  'session',
  'access_event',
  'two_factor_binding',
  'enrolment_code',
  'collection',
  'collection_event',
  'payout',
  'payout_event',
  'payout_batch',
  'payout_batch_row',
  'payment_link',
  'payment_link_order',
  'refund',
  'approval_rule',
  'approval_request',
  'approval_decision',
  'approval_exclusion',
  'withdrawal',
  'topup',
  'ledger_entry',
  'export_task',
  'export_schedule',
  'order_rollup',
  'idempotent_reply',
  'repeated_call',
];

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
let passkey: SoftPasskey;
let userId: string;
const email = 'merchant_admin@trail.test';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const pay = { payment_password: '888888' };
const payee = { payee: '王芳', payeeAccount: '123456789012', bank: 'ICBC', bankName: 'ICBC' };

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('trail');
  await product.fund(merchant, '100000.00');
  const { withdrawalTerms, depositWallets } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', 'operator:test');
  const terms = { feeUsdtMinor: 0n, freePerDay: 2, minimumUsdtMinor: 1n };
  await withdrawalTerms.setTerms(merchant.id, terms, 'operator:test');
  await depositWallets.set({ network: 'TRC20', address: tron, minimumUsdtMinor: 1n }, 'operator:test');
  person = await product.person(merchant);
  passkey = new SoftPasskey(product.url);
  userId = await idOf(email);
  await owner(`create function no_trail() returns trigger language plpgsql as $$ begin raise 'no trail'; end $$;
    create trigger no_trail before insert on audit for each statement execute function no_trail();
    alter table audit disable trigger no_trail`);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});

/** Runs a statement as the schema's owner. */
const owner = (statement: string) => asOwner(product.ownerUrl, (client) => client.query(statement));
/** Reads as the system, since row-level security hides everything from the owner too. */
const read = <T>(statement: string): Promise<T[]> =>
  product.services.database.asSystem(async (tx) => (await sql.raw<T>(statement).execute(tx.query)).rows);
const idOf = async (address: string): Promise<string> =>
  (await read<{ id: string }>(`select id::text from app_user where email = '${address}'`))[0]?.id ??
  expect.fail('no such user');
const rows = (): Promise<Row[]> =>
  read<Row>(
    'select actor, action, host(address) as address, request_id, before, after from audit order by id',
  );
/** Hashes these tables, without columns that only record when a session or passkey was last used. */
const fingerprint = () => {
  const hash = `md5(string_agg(row, '' order by row))`;
  const row = `(to_jsonb(t) - array['last_seen_at', 'last_used_at', 'sign_count'])::text`;
  return read<{ name: string; hash: string }>(
    unchangedTables
      .map(
        (table) => `select '${table}' as name, ${hash} as hash from (select ${row} as row from ${table} t) r`,
      )
      .join(' union all '),
  );
};

const put = (path: string, body: object) => person.send('PUT', path, body);
const remove = (path: string) => person.send('DELETE', path, {});
/** Returns the ID of the key that was added, or of its newest successor. */
const websiteKey = async (): Promise<string> => {
  const { data } = (await person.get('/api/merchant/access-keys')).json;
  const isWebsite = (key: { name: string | null; successor: string | null; state: string }) =>
    key.name === 'Website' && key.successor === null && key.state !== 'revoked';
  return data.find(isWebsite).keyId;
};

const newest = async (list: string, field: string): Promise<string> =>
  (await person.get(`/api/merchant/${list}`)).json.data[0][field];
const exported = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC', filters: {} };

const ofSettings: AuditedCall[] = [
  {
    call: 'POST /api/user/confirm-password',
    action: 'password.confirm',
    make: () => person.post('/api/user/confirm-password', { password: testPassword }),
  },
  {
    call: 'PUT /api/merchant/payment-password',
    action: 'payment_password.set',
    holds: ['before', 'after'],
    make: () => put('/api/merchant/payment-password', { ...pay, payment_password_confirmation: '888888' }),
  },
  {
    call: 'PUT /api/user/profile-information',
    action: 'profile.update',
    holds: ['before', 'after'],
    make: () => put('/api/user/profile-information', { name: 'Ann', email: 'merchant_admin@trail.test' }),
  },
  {
    call: 'PUT /api/merchant/ip-address',
    action: 'ip_address.set',
    holds: ['before', 'after'],
    make: () => put('/api/merchant/ip-address', { addresses: '127.0.0.1\n203.0.113.0/24' }),
  },
  {
    call: 'PUT /api/merchant/checkout',
    action: 'checkout.set',
    holds: ['before', 'after'],
    make: () => put('/api/merchant/checkout', { name: 'Tea', color: '#1677ff' }),
  },
  {
    call: 'PUT /api/merchant/payout-batch-headings',
    action: 'payout-batch.heading',
    holds: ['before', 'after'],
    make: () => put('/api/merchant/payout-batch-headings', { heading: 'Card', field: 'payeeAccount' }),
  },
  {
    call: 'PUT /api/merchant/access-key/update',
    action: 'access_key.update',
    holds: ['before', 'after'],
    make: () => put('/api/merchant/access-key/update', { note: 'Shop', isEnabled: true }),
  },
  {
    call: 'POST /api/merchant/payment-links',
    action: 'payment_link.create',
    holds: ['after'],
    make: () => person.post('/api/merchant/payment-links', { title: 'Course', amount: '1.00' }),
  },
  {
    call: 'PUT /api/merchant/payment-links/:link_no',
    action: 'payment_link.update',
    holds: ['before', 'after'],
    prepare: () => newest('payment-links', 'link_no'),
    make: (no) => put(`/api/merchant/payment-links/${no}`, { title: 'Lesson', amount: '1.00' }),
  },
  {
    call: 'PUT /api/merchant/payment-links/:link_no/is-on',
    action: 'payment_link.off',
    holds: ['before', 'after'],
    prepare: () => newest('payment-links', 'link_no'),
    make: (no) => put(`/api/merchant/payment-links/${no}/is-on`, { isOn: false }),
  },
  {
    call: 'POST /api/merchant/exports',
    action: 'export.create',
    holds: ['after'],
    make: () => person.post('/api/merchant/exports', exported),
  },
  {
    call: 'POST /api/merchant/exports/:export_no/cancel',
    action: 'export.failed',
    holds: ['before', 'after'],
    prepare: () => newest('exports', 'export_no'),
    make: (no) => person.post(`/api/merchant/exports/${no}/cancel`, {}),
  },
  {
    call: 'POST /api/merchant/exports/:export_no/retry',
    action: 'export.waiting',
    holds: ['before', 'after'],
    prepare: () => newest('exports', 'export_no'),
    make: (no) => person.post(`/api/merchant/exports/${no}/retry`, {}),
  },
  {
    call: 'POST /api/merchant/export-schedules',
    action: 'export-schedule.create',
    holds: ['after'],
    make: () => person.post('/api/merchant/export-schedules', { ...exported, name: 'Mine', every: 'daily' }),
  },
  {
    call: 'DELETE /api/merchant/export-schedules/:id',
    action: 'export-schedule.remove',
    holds: ['before'],
    prepare: () => newest('export-schedules', 'id'),
    make: (id) => remove(`/api/merchant/export-schedules/${id}`),
  },
];

const collection = async (name: string): Promise<string> =>
  (await merchant.program.create(name, { channel: 'CN_BANK' })).json.trade_no ?? expect.fail('no order');
let toRefund = 0;
async function paidCollection(): Promise<string> {
  const reference = await collection(`to-refund-${++toRefund}`);
  const bank = { bankReference: 'b', amountMinor: 10_000n, currency: 'CNY', reason: null } as const;
  await product.services.collections.report({ reference, status: 'paid', ...bank });
  return reference;
}

const ofMoney: AuditedCall[] = [
  {
    call: 'POST /api/merchant/collections',
    action: 'collection.create',
    holds: ['after'],
    make: () => person.post('/api/merchant/collections', { amount: '3.00' }),
  },
  {
    call: 'POST /api/merchant/collections/:trade_no/cancel',
    action: 'collection.cancel',
    holds: ['before', 'after'],
    prepare: () => collection('to-cancel-by-hand'),
    make: (no) => person.post(`/api/merchant/collections/${no}/cancel`),
  },
  {
    call: 'POST /api/merchant/collections/:trade_no/ask',
    action: 'collection.ask',
    holds: ['before'],
    prepare: () => collection('to-ask'),
    make: (no) => person.post(`/api/merchant/collections/${no}/ask`),
  },
  {
    call: 'POST /api/merchant/collections/:trade_no/callbacks/:id/send-again',
    action: 'callback.send_again',
    holds: ['after'],
    prepare: async () => {
      const no = await collection('to-send-again');
      const [message] = await read<{
        id: string;
      }>(`insert into callback_message (merchant_id, subject_kind, subject_no, event,
        url, body) values (${merchant.id}, 'collection', '${no}', 'collection.closed', 'https://shop.test/', '{}') returning id`);
      return `${no}/callbacks/${message?.id}`;
    },
    make: (callback) => person.post(`/api/merchant/collections/${callback}/send-again`),
  },
  {
    call: 'POST /api/merchant/callbacks/send-again',
    action: 'callback.send_again',
    holds: ['after'],
    prepare: () => newest('callbacks', 'id'),
    make: (id) => person.post('/api/merchant/callbacks/send-again', { ids: [id] }),
  },
  {
    call: 'POST /api/merchant/payouts',
    action: 'payout.apply',
    holds: ['after'],
    make: () =>
      person.post('/api/merchant/payouts', { ...pay, channel: 'CN_BANK', amount: '1.00', ...payee }),
  },
  {
    call: 'POST /api/merchant/payouts/:trade_no/slip',
    action: 'payout.slip',
    prepare: async () => {
      const reference = await newest('payouts', 'trade_no');
      await read(
        `update payout set status = 'pendingSettlement', sent_at = now() where trade_no = '${reference}'`,
      );
      await product.services.payouts.report({ reference, status: 'paid', bankReference: 'b', reason: null });
      return reference;
    },
    make: (no) => person.post(`/api/merchant/payouts/${no}/slip`, {}),
  },
  {
    call: 'DELETE /api/merchant/payouts/:trade_no/slip',
    action: 'payout.slip.revoke',
    holds: ['before', 'after'],
    prepare: () => newest('payouts', 'trade_no'),
    make: (no) => remove(`/api/merchant/payouts/${no}/slip`),
  },
  {
    call: 'POST /api/merchant/payout-batches',
    action: 'payout-batch.apply',
    holds: ['after'],
    make: async () => {
      const batch = { channel: 'CN_BANK', rows: [{ ...payee, amount: '2.00' }] };
      const { data } = (await person.post('/api/merchant/payout-batches/check', batch)).json;
      return person.post('/api/merchant/payout-batches', { ...batch, ...pay, name: 'b', total: data.total });
    },
  },
  {
    call: 'POST /api/merchant/withdrawals',
    action: 'withdrawal.apply',
    holds: ['after'],
    make: () =>
      person.post('/api/merchant/withdrawals', {
        amount: '10',
        unit: 'usdt',
        network: 'TRC20',
        address: tron,
        ...pay,
      }),
  },
  {
    call: 'POST /api/merchant/topups',
    action: 'topup.apply',
    holds: ['after'],
    make: () =>
      person.post('/api/merchant/topups', {
        coin: 'USDT',
        amount: '100',
        network: 'TRC20',
        address: tron,
        transactionId: randomBytes(32).toString('hex'),
        screenshot: greyPng(8, 8, () => randomInt(256)).toString('base64'),
      }),
  },
  {
    call: 'POST /openapi/v1/payouts',
    action: 'payout.create',
    actor: () => 'key:ak_trail',
    holds: ['after'],
    make: () =>
      merchant.program.post('/openapi/v1/payouts', {
        out_trade_no: `trail-${randomInt(1e9)}`,
        amount: '7.00',
        currency: 'CNY',
        channel: 'CN_BANK',
        ...payee,
        confirmSimilar: true,
      }),
  },
  {
    call: 'POST /openapi/v1/collections/:trade_no/cancel',
    action: 'collection.cancel',
    actor: () => 'key:ak_trail',
    holds: ['before', 'after'],
    prepare: () => collection('to-cancel'),
    make: (no) => merchant.program.post(`/openapi/v1/collections/${no}/cancel`),
  },
  {
    call: 'POST /openapi/v1/collections/:trade_no/refund',
    action: 'collection.refund',
    actor: () => 'key:ak_trail',
    holds: ['before', 'after'],
    prepare: paidCollection,
    make: (no) => merchant.program.post(`/openapi/v1/collections/${no}/refund`),
  },
  {
    call: 'POST /openapi/v1/refunds',
    action: 'collection.refund',
    actor: () => 'key:ak_trail',
    holds: ['before', 'after'],
    prepare: paidCollection,
    make: (no) => merchant.program.post('/openapi/v1/refunds', { out_refund_no: no, trade_no: no }),
  },
  {
    call: 'POST /api/merchant/collections/:trade_no/refunds',
    action: 'collection.refund',
    holds: ['before', 'after'],
    prepare: paidCollection,
    make: (no) =>
      person.post(`/api/merchant/collections/${no}/refunds`, { ...pay, amount: '1.00', reason: 'x' }),
  },
];

/** A second browser of the person. */
let other: Visitor;
async function signInElsewhere(): Promise<string> {
  other = product.visitor();
  await other.signIn(email, testPassword);
  const { data } = (await person.get('/api/merchant/sessions')).json;
  return data.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)?.id ?? 'pending';
}
const recoveryCode = async (): Promise<string> => {
  await signInElsewhere();
  return (await person.get('/api/user/two-factor-recovery-codes')).json[0];
};
let strictUser: string;
let enrolment_code: string;
async function strictPerson(): Promise<string> {
  const strict = await product.merchant('strict');
  other = await product.person(strict);
  await product.admin().requireTwoFactor(strict.id, true);
  const staff = new UserService(product.services.database, 'operator:test');
  enrolment_code = await staff.makeEnrolmentCode('merchant_admin@strict.test');
  strictUser = await idOf('merchant_admin@strict.test');
  return (await other.get('/api/merchant/two-factor-secret-key')).json.secretKey;
}

let bothUser: string;
/** Signs in somebody who works for two merchants, at the first one; returns the code of the second one. */
async function atTwoMerchants(): Promise<string> {
  const [first, second] = [await product.merchant('first'), await product.merchant('second')];
  other = await product.person(first);
  bothUser = await idOf('merchant_admin@first.test');
  await read(
    `insert into membership (merchant_id, user_id, roles) values (${second.id}, ${bothUser}, '{FINANCE}')`,
  );
  other.merchant = first.code;
  return second.code;
}

/** Somebody in test mode. */
let trying: Visitor;
let tryingUser: string;
let trials = 0;
async function inTestMode(): Promise<string> {
  const tried = await product.merchant(`trial${++trials}`);
  trying = await product.person(tried);
  tryingUser = await idOf(`merchant_admin@${tried.code}.test`);
  await trying.send('PUT', '/api/merchant/test-mode', { isOn: true });
  trying.merchant = `${tried.code}-test`;
  return '';
}
async function backFromTestMode(): Promise<string> {
  await inTestMode();
  await trying.send('PUT', '/api/merchant/test-mode', { isOn: false });
  trying.merchant = trying.merchant?.replace('-test', '');
  return '';
}

const team = '/api/merchant/team';
let mates = 0;
/** Adds somebody to the team; returns the address of the member. */
async function mate(): Promise<string> {
  const name = `mate${mates++}`;
  await product.person(merchant, 'MERCHANT_VIEWER', name);
  return `${team}/members/${await idOf(`${name}@trail.test`)}`;
}
const invite = (address: string) =>
  person.post(`${team}/invitations`, { email: address, roles: ['MERCHANT_VIEWER'] });
async function invitation(): Promise<string> {
  const { json } = await invite(`guest${mates++}@trail.test`);
  return `${team}/invitations/${json.data.id}`;
}

const clerk = () => ({ name: `Clerk ${mates++}`, perms: ['collections.read'] });
/** Makes a role of the merchant's own; returns its address. */
async function ownRole(): Promise<string> {
  const { json } = await person.post(`${team}/roles`, clerk());
  return `${team}/roles/${json.data.code}`;
}

const ofTeam: AuditedCall[] = [
  {
    call: 'POST /api/merchant/team/invitations',
    action: 'invitation.create',
    holds: ['after'],
    make: () => invite('guest@trail.test'),
  },
  {
    call: 'POST /api/merchant/team/invitations/:id/link',
    action: 'invitation.renew',
    prepare: invitation,
    make: (path) => person.post(`${path}/link`, {}),
  },
  {
    call: 'DELETE /api/merchant/team/invitations/:id',
    action: 'invitation.revoke',
    prepare: invitation,
    make: remove,
  },
  {
    call: 'PUT /api/merchant/team/members/:member_id/roles',
    action: 'user.roles',
    holds: ['before', 'after'],
    prepare: mate,
    make: (path) => put(`${path}/roles`, { roles: ['SUPPORT'] }),
  },
  {
    call: 'POST /api/merchant/team/members/:member_id/suspension',
    action: 'user.suspend',
    holds: ['before', 'after'],
    prepare: mate,
    make: (path) => person.post(`${path}/suspension`, {}),
  },
  {
    call: 'DELETE /api/merchant/team/members/:member_id/suspension',
    action: 'user.reactivate',
    holds: ['before', 'after'],
    prepare: async () => {
      const path = await mate();
      await person.post(`${path}/suspension`, {});
      return path;
    },
    make: (path) => remove(`${path}/suspension`),
  },
  {
    call: 'DELETE /api/merchant/team/members/:member_id',
    action: 'user.remove',
    holds: ['before'],
    prepare: mate,
    make: remove,
  },
  {
    call: 'POST /api/merchant/team/roles',
    action: 'role.create',
    holds: ['after'],
    make: () => person.post(`${team}/roles`, clerk()),
  },
  {
    call: 'PUT /api/merchant/team/roles/:role',
    action: 'role.change',
    holds: ['before', 'after'],
    prepare: ownRole,
    make: (path) => put(path, { ...clerk(), version: 1 }),
  },
  {
    call: 'DELETE /api/merchant/team/roles/:role',
    action: 'role.retire',
    holds: ['before'],
    prepare: ownRole,
    make: remove,
  },
  {
    call: 'POST /api/invitations/:token/acceptance',
    action: 'user.join',
    actor: () => `user:${guestId}`,
    holds: ['after'],
    prepare: async () => {
      const path = await mate();
      await remove(path);
      guestId = path.slice(path.lastIndexOf('/') + 1);
      const { url } = (await invite(`mate${mates - 1}@trail.test`)).json.data;
      return url.slice(url.lastIndexOf('/') + 1);
    },
    // In a browser in which somebody is signed in, the new member is not signed in as well.
    make: (token) => person.post(`/api/invitations/${token}/acceptance`, { password: testPassword }),
  },
];
let guestId: string;

/** Sets a rule that covers every payout, or every change of the access, or none, as staff does. */
const setRule = (isOn: boolean, kind: 'payout' | 'access' = 'payout') => {
  const rule = {
    kind,
    amountMinor: '0',
    approvers: 1,
    roles: ['MERCHANT_ADMIN' as const],
    people: [],
  };
  return product.services.approvalRules.setFor(merchant.id, 'operator:test', {
    rules: isOn ? [rule] : [],
    days: 7,
  });
};
const signedPayout = async (amount: string, payeeAccount: string): Promise<string> => {
  const order = { ...payee, payeeAccount, amount, currency: 'CNY', channel: 'CN_BANK', confirmSimilar: true };
  const out_trade_no = `asked-${randomInt(1e9)}`;
  return (await merchant.program.post('/openapi/v1/payouts', { ...order, out_trade_no })).json.trade_no;
};
const requestOf = async (tradeNo: string): Promise<string> => {
  await setRule(false);
  const found = `select request_no as number from approval_request where subject_no = '${tradeNo}'`;
  return (await read<{ number: string }>(found))[0]?.number ?? expect.fail('no request');
};
/** Records that somebody else has made the program's key: the person may approve what is asked for with it. */
const noteOtherMaker = async () => {
  const mateId = (await mate()).replace(/.*\//, '');
  return product.services.database.asSystem((tx) =>
    sql`update access_key set created_by = ${mateId} where key_id = 'ak_trail'`.execute(tx.query),
  );
};
/** Returns the number of a request for a payout by the merchant's program. */
async function requestByProgram(): Promise<string> {
  await noteOtherMaker();
  await setRule(true);
  return requestOf(await signedPayout(`3.${randomInt(10, 99)}`, '123456789012'));
}
/** Likewise, to an account that has long been known. */
async function plainRequest(): Promise<string> {
  await noteOtherMaker();
  const known = '123456789098';
  const tradeNo = await signedPayout('1.00', known);
  await product.services.payoutDispatch.tasks['payouts.send']?.({ merchantId: String(merchant.id), tradeNo });
  await until(
    () => read<{ status: string }>(`select status from payout where trade_no = '${tradeNo}'`),
    ([order]) => order?.status === 'processed',
  );
  await product.services.database.asSystem((tx) =>
    sql`update payout set created_at = created_at - interval '40 days' where trade_no = ${tradeNo}`.execute(
      tx.query,
    ),
  );
  await setRule(true);
  return requestOf(await signedPayout('2.00', known));
}
/** Likewise, of the person. */
async function ownRequest(): Promise<string> {
  await setRule(true);
  await passkey.show(person);
  const order = { ...payee, ...pay, amount: `4.${randomInt(10, 99)}`, channel: 'CN_BANK' };
  return requestOf((await person.post('/api/merchant/payouts', order)).json.data.trade_no);
}
/** Likewise, of the person, for a change of the whitelist. */
async function accessRequest(): Promise<string> {
  await setRule(true, 'access');
  const addresses = `127.0.0.1\n203.0.113.0/24\n198.51.100.${randomInt(1, 250)}`;
  const { json } = await put('/api/merchant/ip-address', { addresses });
  await setRule(false);
  return json.data.request_no;
}
const authorized = async (method: string, path: string, body: object) => {
  await passkey.show(person);
  return person.send(method, path, { ...body, ...pay });
};
const approvals = '/api/merchant/approvals';

const ofApprovals: AuditedCall[] = [
  {
    call: 'POST /api/merchant/approvals/:request_no/approval',
    action: 'approval.approve',
    holds: ['after'],
    prepare: requestByProgram,
    make: (no) =>
      authorized('POST', `${approvals}/${no}/approval`, {
        seen: [{ mark: 'newAccount', before: null, after: '123456789012' }],
      }),
  },
  {
    call: 'POST /api/merchant/approvals-approval',
    action: 'approval.approve',
    holds: ['after'],
    prepare: plainRequest,
    make: (no) => authorized('POST', `${approvals}-approval`, { request_nos: [no] }),
  },
  {
    call: 'POST /api/merchant/approvals/:request_no/refusal',
    action: 'approval.refuse',
    holds: ['after'],
    prepare: requestByProgram,
    make: (no) => person.post(`${approvals}/${no}/refusal`, { reason: 'not ordered' }),
  },
  {
    call: 'DELETE /api/merchant/approvals/:request_no',
    action: 'approval.withdraw',
    holds: ['after'],
    prepare: ownRequest,
    make: (no) => remove(`${approvals}/${no}`),
  },
  {
    call: 'DELETE /api/merchant/access-requests/:request_no',
    action: 'approval.withdraw',
    holds: ['after'],
    prepare: accessRequest,
    make: (no) => remove(`/api/merchant/access-requests/${no}`),
  },
  {
    call: 'PUT /api/merchant/approval-rules',
    action: 'approval.rules',
    holds: ['before', 'after'],
    // Somebody else has to be able to approve.
    prepare: async () => {
      await product.person(merchant, 'MERCHANT_ADMIN', 'second');
      return '';
    },
    make: () =>
      authorized('PUT', '/api/merchant/approval-rules', {
        rules: [
          { kind: 'withdrawal', amount: '100000', approvers: 1, roles: ['MERCHANT_ADMIN'], people: [] },
        ],
        days: 7,
      }),
  },
];

const ofAccess: AuditedCall[] = [
  {
    call: 'POST /api/user/two-factor-authentication',
    action: 'two_factor.enable',
    holds: ['before', 'after'],
    make: () => person.post('/api/user/two-factor-authentication', {}),
  },
  {
    call: 'POST /api/user/two-factor-recovery-codes',
    action: 'two_factor.codes_renewed',
    make: () => person.post('/api/user/two-factor-recovery-codes', {}),
  },
  {
    call: 'POST /api/user/confirmed-two-factor-authentication',
    action: 'two_factor.on',
    holds: ['before', 'after'],
    prepare: async () => (await person.get('/api/user/two-factor-secret-key')).json.secretKey,
    make: (key) => person.post('/api/user/confirmed-two-factor-authentication', { code: codeOf(key) }),
  },
  {
    call: 'DELETE /api/user/two-factor-authentication',
    action: 'two_factor.off',
    holds: ['before', 'after'],
    make: () => remove('/api/user/two-factor-authentication'),
  },
  {
    call: 'POST /api/login',
    action: 'session.sign_in',
    make: () => product.visitor().signIn(email, testPassword),
  },
  {
    call: 'DELETE /api/merchant/sessions/:session_id',
    action: 'session.end',
    holds: ['before'],
    prepare: signInElsewhere,
    make: (id) => remove(`/api/merchant/sessions/${id}`),
  },
  {
    call: 'POST /api/merchant/session/merchant',
    action: 'session.switch',
    actor: () => `user:${bothUser}`,
    prepare: atTwoMerchants,
    make: (code) => other.post('/api/merchant/session/merchant', { merchant: code }),
  },
  {
    call: 'PUT /api/merchant/test-mode',
    action: 'session.switch',
    actor: () => `user:${tryingUser}`,
    prepare: backFromTestMode,
    make: () => trying.send('PUT', '/api/merchant/test-mode', { isOn: true }),
  },
  {
    call: 'POST /api/merchant/test-mode/funds',
    action: 'test_mode.funds',
    actor: () => `user:${tryingUser}`,
    holds: ['after'],
    prepare: inTestMode,
    make: () => trying.post('/api/merchant/test-mode/funds', { amount: '5.00' }),
  },
  {
    call: 'POST /api/merchant/test-calls',
    action: 'test_mode.call',
    actor: () => `user:${tryingUser}`,
    holds: ['after'],
    prepare: async () => {
      await inTestMode();
      const keyId = `ak_test_trial${trials}`;
      const { id: liveId } = await product.admin().find(`trial${trials}`);
      const { id } = await product.services.testMode.open(liveId);
      await product.admin().addAccessKey(id, keyId, `sk_trial${trials}`);
      return keyId;
    },
    make: (keyId) =>
      trying.post('/api/merchant/test-calls', {
        keyId,
        method: 'POST',
        path: '/openapi/v1/collections/C1/cancel',
      }),
  },
  {
    call: 'DELETE /api/merchant/test-mode/data',
    action: 'test_mode.wipe',
    actor: () => `user:${tryingUser}`,
    holds: ['after'],
    // At the test merchant, and at the live one.
    times: 2,
    prepare: async () => {
      await inTestMode();
      await trying.post('/api/user/confirm-password', { password: testPassword });
      return '';
    },
    make: () => trying.send('DELETE', '/api/merchant/test-mode/data'),
  },
  {
    call: 'POST /api/logout',
    action: 'session.sign_out',
    prepare: signInElsewhere,
    make: () => other.post('/api/logout', {}),
  },
  {
    call: 'DELETE /api/merchant/sessions',
    action: 'session.end_others',
    prepare: signInElsewhere,
    make: () => remove('/api/merchant/sessions'),
  },
  {
    call: 'POST /api/merchant/passkeys',
    action: 'passkey.add',
    holds: ['after'],
    make: () => passkey.bind(person),
  },
  {
    call: 'PUT /api/merchant/access-key/regenerate',
    action: 'access_key.regenerate',
    holds: ['before', 'after'],
    make: async () => {
      await passkey.show(person);
      return put('/api/merchant/access-key/regenerate', { overlapHours: 24 });
    },
  },
  {
    call: 'POST /api/merchant/callback-endpoints',
    action: 'callback_endpoint.create',
    holds: ['after'],
    make: async () => {
      await passkey.show(person);
      return person.post('/api/merchant/callback-endpoints', { url: 'https://shop.test/hook' });
    },
  },
  {
    call: 'PUT /api/merchant/callback-endpoints/:endpoint_id',
    action: 'callback_endpoint.update',
    holds: ['before', 'after'],
    prepare: () => newest('callback-endpoints', 'id'),
    make: async (id) => {
      await passkey.show(person);
      return put(`/api/merchant/callback-endpoints/${id}`, { url: 'https://shop.test/new' });
    },
  },
  {
    call: 'PUT /api/merchant/callback-endpoints/:endpoint_id/state',
    action: 'callback_endpoint.pause',
    holds: ['before', 'after'],
    prepare: () => newest('callback-endpoints', 'id'),
    make: (id) => put(`/api/merchant/callback-endpoints/${id}/state`, { state: 'paused' }),
  },
  {
    call: 'POST /api/merchant/callback-endpoints/:endpoint_id/skip-waiting',
    action: 'callback_endpoint.skip',
    holds: ['after'],
    prepare: () => newest('callback-endpoints', 'id'),
    make: (id) => person.post(`/api/merchant/callback-endpoints/${id}/skip-waiting`, {}),
  },
  {
    call: 'POST /api/merchant/callback-endpoints/:endpoint_id/check',
    action: 'callback_endpoint.check',
    prepare: () => newest('callback-endpoints', 'id'),
    make: (id) => person.post(`/api/merchant/callback-endpoints/${id}/check`, {}),
  },
  {
    call: 'POST /api/merchant/callback-addresses/:key_id/check',
    action: 'callback_address.check',
    prepare: async () => {
      // No worker ends the check of the endpoint, and one runs at a time.
      await product.services.database.asSystem(async (tx) => {
        await sql`update callback_check set verdict = 'interrupted', ended_at = now() where verdict is null`.execute(
          tx.query,
        );
        await sql`update access_key set callback_url = 'https://shop.test/hook' where key_id = 'ak_trail'`.execute(
          tx.query,
        );
      });
      return newest('callback-addresses', 'keyId');
    },
    make: (key) => person.post(`/api/merchant/callback-addresses/${key}/check`, {}),
  },
  {
    call: 'PUT /api/merchant/callback-endpoints/:endpoint_id/secret',
    action: 'callback_endpoint.rotate',
    holds: ['after'],
    prepare: () => newest('callback-endpoints', 'id'),
    make: async (id) => {
      await passkey.show(person);
      return put(`/api/merchant/callback-endpoints/${id}/secret`, { overlapHours: 24 });
    },
  },
  {
    call: 'DELETE /api/merchant/callback-endpoints/:endpoint_id',
    action: 'callback_endpoint.remove',
    holds: ['after'],
    prepare: () => newest('callback-endpoints', 'id'),
    make: (id) => remove(`/api/merchant/callback-endpoints/${id}`),
  },
  {
    call: 'POST /api/merchant/access-keys',
    action: 'access_key.add',
    holds: ['after'],
    make: async () => {
      await passkey.show(person);
      return person.post('/api/merchant/access-keys', { name: 'Website', scopes: ['collections', 'read'] });
    },
  },
  {
    call: 'PUT /api/merchant/access-keys/:key_id',
    action: 'access_key.update',
    holds: ['before', 'after'],
    prepare: websiteKey,
    make: async (key) => {
      await passkey.show(person);
      return put(`/api/merchant/access-keys/${key}`, { name: 'Website', scopes: ['read'] });
    },
  },
  {
    call: 'PUT /api/merchant/access-keys/:key_id/is-on',
    action: 'access_key.update',
    holds: ['before', 'after'],
    prepare: websiteKey,
    make: (key) => put(`/api/merchant/access-keys/${key}/is-on`, { isOn: false }),
  },
  {
    call: 'POST /api/merchant/access-keys/:key_id/successor',
    action: 'access_key.regenerate',
    holds: ['before', 'after'],
    prepare: websiteKey,
    make: async (key) => {
      await passkey.show(person);
      return person.post(`/api/merchant/access-keys/${key}/successor`, { overlapHours: 24 });
    },
  },
  {
    call: 'DELETE /api/merchant/access-keys/:key_id',
    action: 'access_key.revoke',
    prepare: websiteKey,
    make: (key) => remove(`/api/merchant/access-keys/${key}`),
  },
  ...ofApprovals,
  {
    call: 'DELETE /api/merchant/access-key/older',
    action: 'access_key.revoke',
    // Leaves one older key.
    prepare: async () => {
      for (const overlapHours of [0, 24]) {
        await passkey.show(person);
        await put('/api/merchant/access-key/regenerate', { overlapHours });
      }
      return '';
    },
    make: () => remove('/api/merchant/access-key/older'),
  },
  {
    call: 'POST /api/two-factor-challenge',
    action: 'session.sign_in',
    holds: ['after'],
    prepare: recoveryCode,
    make: (code) => other.post('/api/two-factor-challenge', { recovery_code: code }),
  },
  {
    call: 'DELETE /api/merchant/passkeys/:passkey_id',
    action: 'passkey.remove',
    holds: ['before'],
    prepare: () => newest('passkeys', 'id'),
    make: (id) => remove(`/api/merchant/passkeys/${id}`),
  },
  {
    call: 'POST /api/merchant/confirmed-two-factor-authentication',
    action: 'two_factor.on',
    actor: () => `user:${strictUser}`,
    holds: ['before', 'after'],
    prepare: strictPerson,
    make: (key) =>
      other.post('/api/merchant/confirmed-two-factor-authentication', {
        code: codeOf(key),
        enrolment_code,
      }),
  },
  {
    call: 'PUT /api/user/password',
    action: 'password.change',
    make: () =>
      put('/api/user/password', {
        current_password: testPassword,
        password: 'Trail-pass-2027',
        password_confirmation: 'Trail-pass-2027',
      }),
  },
];

const calls = [...ofSettings, ...ofMoney, ...ofTeam, ...ofAccess];

it('covers every call that writes', async () => {
  const writing = (await everyEndpoint())
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
  expect([...calls.map(({ call }) => call), ...Object.keys(withoutTrail)].sort()).toEqual(writing.sort());
});

it.each(calls.map((audited) => [audited.call, audited] as const))(
  '%s records actor, address and change; it changes nothing if the audit trail fails',
  async (_call, { action, actor, holds = [], times = 1, prepare, make }) => {
    const prepared = (await prepare?.()) ?? '';
    const [before, trailBefore] = [await fingerprint(), await rows()];
    await owner('alter table audit enable trigger no_trail');
    const refused = await make(prepared).finally(() => owner('alter table audit disable trigger no_trail'));
    expect([refused.status, refused.json.code]).toEqual([500, 'internal']);
    expect(await fingerprint()).toEqual(before);
    expect(await rows()).toEqual(trailBefore);

    const answer = await make(prepared);
    expect([answer.status, answer.json]).toEqual([expect.any(Number), expect.anything()]);
    expect(answer.status).toBeLessThan(300);
    const added = (await rows()).slice(trailBefore.length);
    const recorded = added.map((row) => ({ ...row, before: row.before !== null, after: row.after !== null }));
    const expected = {
      actor: actor?.() ?? `user:${userId}`,
      action,
      address: '127.0.0.1',
      request_id: answer.headers.get('x-request-id'),
      before: holds.includes('before'),
      after: holds.includes('after'),
    };
    expect(recorded).toEqual(Array.from({ length: times }, () => expected));
    expect(JSON.stringify(added)).not.toMatch(/888888|Test-pass|Trail-pass|sk_|argon2/);
  },
);

it('repeats what happened to people’s access for them to read, without the addresses of colleagues', async () => {
  const actions = securityActions.map((action) => `'${action}'`).join(', ');
  const recorded = await read(`
    select substr(person, 6) as user_id, at, replace(action, '.', '_') as action,
      case when actor like 'user:%' and actor <> person then null else address end as address
    from audit cross join lateral (select case when subject like 'user:%' then subject else actor end as person) p
    where replace(action, '.', '_') in (${actions}) and person like 'user:%' order by at, id`);
  expect(recorded.length).toBeGreaterThan(20);
  const columns = 'user_id::text, at, action, address';
  expect(await read(`select ${columns} from access_event order by at, id`)).toEqual(recorded);
});
