import { keyScopes } from '@hengfu/contract/key-scopes';
import { greyPng } from '@hengfu/server/demo/picture.ts';
import fc from 'fast-check';
import type { Json } from './json.ts';
import { pictures } from './pictures.ts';
import { placeholder } from './pool.ts';

/** The passwords of all users. */
export const loginPassword = 'Fuzz-pass-2026';
export const paymentPassword = '888888';
/** Wallet address of the service, and destination of withdrawals. */
export const wallet = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

const amount = fc.integer({ min: 1, max: 900 }).map((whole) => `${whole}.00`);
const unique = placeholder('unique');
const code = { code: placeholder('code') };
const payee = { payee: '王芳', payeeAccount: '123456789012', bank: 'ICBC', bankName: '中国工商银行' };
const picture = fc
  .nat(255)
  .map((grey) => greyPng(4, 4, (x, y) => (x * 40 + y * 7 + grey) % 256).toString('base64'));
const exported = {
  list: fc.constantFrom('collections', 'settlements', 'payouts', 'topups', 'withdrawals', 'fundFlow'),
  filters: fc.constantFrom<Json>({}, { createdFrom: '2026-01-01T00:00:00Z' }, { status: 'paid' }),
  columns: fc.constant<Json>([]),
  format: fc.constantFrom('csv', 'xlsx'),
  language: fc.constantFrom('zh-cn', 'en', 'vi'),
  zone: fc.constant('Asia/Shanghai'),
};
const rows = fc.array(
  amount.map((text) => ({ ...payee, amount: text })),
  { minLength: 1, maxLength: 3 },
);

/** Payment links with a price, which ask their payers nothing. */
const paymentLink = fc.record(
  { title: fc.constant('Tea'), amount, picture },
  { requiredKeys: ['title', 'amount'] },
);

/** IP whitelists with valid, unusual and invalid notations. */
const addresses = fc
  .array(
    fc.constantFrom(
      '127.0.0.1',
      '10.0.0.0/8',
      '::1',
      '2001:db8::/32',
      '10.1.2.3/8',
      '::ffff:1.2.3.4/96',
      '127.1',
      '0x7f.1',
      '010.1.1.1',
      'fe80::1%eth0',
      'fe80::1%eth0/64',
      '0.0.0.0/0',
      '::/0',
      '1.2.3.4/33',
      '4294967295',
      '1.2.3.4/',
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((lines) => ({ addresses: lines.join('\n') }));
/** Keys that reach the merchant's limit soon: the refusal at the limit is a sample, too. */
const keySettings = fc
  .record({
    name: fc.constantFrom('Website', '报表'),
    scopes: fc.subarray([...keyScopes], { minLength: 1 }),
    expiresAt: fc.constantFrom('2030-01-01T00:00:00Z', null),
    callbackUrl: fc.constantFrom('', 'https://a.test/cb'),
  })
  .chain((settings) => addresses.map((list) => ({ ...settings, ...list, ...code })));

const callbackEndpoint = fc.record({
  url: fc.constantFrom('http://127.0.0.1:9/hook', 'http://127.0.0.1:9/other'),
  events: fc.constantFrom<Json>(null, ['payout.processed']),
  code: fc.constant(code.code),
});

/** Bodies that the product accepts, for operations whose schema alone is not enough; by operation name. */
export const samples: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  'POST /api/login': fc.record({
    email: fc.constantFrom(
      'admin@shop-1.test',
      'viewer@shop-1.test',
      'Admin@Shop-2.test',
      'nobody@nowhere.test',
    ),
    password: fc.constantFrom(loginPassword, 'wrong'),
  }),
  'POST /api/staff/login': fc.record({
    email: fc.constantFrom('support@staff.test', 'nobody@staff.test'),
    password: fc.constantFrom(placeholder('supportPassword'), 'wrong'),
  }),
  'POST /api/staff/merchants': fc.record({
    code: fc.constant(unique),
    name: fc.constantFrom('Tea', '<b>茶</b>'),
    currency: fc.constant('CNY'),
    zone: fc.constant('Asia/Shanghai'),
    cutOff: fc.constantFrom('00:00', '18:30'),
    email: fc.constant(`${unique}@owners.test`),
  }),
  'POST /api/staff/merchants/{code}/limits': fc.record({
    payout: fc.constantFrom('', '900000000'),
    payoutsOfDay: fc.constant(''),
    withdrawalsOfDay: fc.constant(''),
    collection: fc.constantFrom('', '900000000.00'),
    reason: fc.constant('asked for'),
  }),
  'POST /api/user/confirm-password': fc.constant({ password: loginPassword }),
  'PUT /api/user/password': fc.constant({
    current_password: loginPassword,
    password: 'Another-pass-2026',
    password_confirmation: 'Another-pass-2026',
  }),
  'PUT /api/user/profile-information': fc.record({
    name: fc.constantFrom('Fuzz', '<b>王芳</b>', '=1+1'),
    email: fc.constantFrom('admin@shop-1.test', `${unique}@shop-1.test`),
    zone: fc.constantFrom('', 'Asia/Shanghai'),
    language: fc.constantFrom('en', 'vi', ''),
  }),
  'POST /openapi/v1/collections': fc.record(
    {
      out_trade_no: fc.constant(unique),
      amount,
      currency: fc.constant('CNY'),
      channel: fc.constant('CN_BANK'),
      subject: fc.constantFrom('Tea', '<script>', '茶'),
      notifyUrl: fc.constant('http://127.0.0.1:9/callback'),
      expiresIn: fc.constantFrom(10, 86_400, 600),
    },
    { requiredKeys: ['out_trade_no', 'amount', 'currency'] },
  ),
  'POST /openapi/v1/refunds': fc.record({
    out_refund_no: fc.constant(unique),
    trade_no: fc.constantFrom(placeholder('paid/trade_no'), placeholder('trade_no')),
    amount: fc.constantFrom('0.01', '1.00', '900.01'),
  }),
  'POST /api/merchant/collections/{trade_no}/refunds': fc.constant({
    amount: '0.01',
    reason: 'Goods returned',
    payment_password: paymentPassword,
    ...code,
  }),
  'POST /api/merchant/payment-links': paymentLink,
  'PUT /api/merchant/payment-links/{link_no}': paymentLink,
  'PUT /api/merchant/payment-links/{link_no}/is-on': fc.boolean().map((isOn) => ({ isOn })),
  'POST /api/pay-links/{token}/orders': fc
    .integer({ min: 0, max: 2 ** 31 - 1 })
    .map((attempt) => ({ attempt: `fuzz-attempt-${attempt}`, quantity: 1 })),
  'PUT /api/merchant/checkout': fc.record(
    {
      name: fc.constantFrom('', 'Tea & more', '<b>茶</b>'),
      color: fc.constantFrom('', '0b5fff', 'ffffff'),
      logo: picture,
    },
    { requiredKeys: ['name', 'color'] },
  ),
  'POST /api/merchant/callback-endpoints': callbackEndpoint,
  'PUT /api/merchant/callback-endpoints/{endpoint_id}': callbackEndpoint,
  'PUT /api/merchant/callback-endpoints/{endpoint_id}/secret': fc
    .constantFrom(0, 24)
    .map((overlapHours) => ({ overlapHours, ...code })),
  'POST /api/merchant/collections': amount.map((text) => ({ amount: text })),
  'POST /openapi/v1/payouts': amount.map((text) => ({
    out_trade_no: unique,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: text,
    confirmSimilar: true,
    ...payee,
  })),
  'POST /api/merchant/payouts': amount.map((text) => ({
    channel: 'CN_BANK',
    amount: text,
    payment_password: paymentPassword,
    confirmSimilar: true,
    ...payee,
    ...code,
  })),
  'POST /api/merchant/payout-batches/check': rows.map((each) => ({ channel: 'CN_BANK', rows: each })),
  'POST /api/merchant/payout-batches': rows.map((each) => ({
    channel: 'CN_BANK',
    name: 'May.csv',
    rows: each,
    total: totalOf(each),
    confirmRepeated: true,
    confirmed: each.map((_, index) => index + 1),
    payment_password: paymentPassword,
    ...code,
  })),
  'POST /api/merchant/withdrawals': fc.record({
    amount: fc.integer({ min: 10, max: 90 }).map(String),
    unit: fc.constantFrom('usdt', 'home'),
    network: fc.constant('TRC20'),
    address: fc.constant(wallet),
    payment_password: fc.constant(paymentPassword),
    code: fc.constant(code.code),
  }),
  'POST /api/merchant/topups': fc.record({
    coin: fc.constant('USDT'),
    amount: fc.integer({ min: 10, max: 900 }).map(String),
    network: fc.constant('TRC20'),
    address: fc.constant(wallet),
    transactionId: fc.constant(placeholder('hash')),
    screenshot: fc.oneof(picture, fc.constantFrom(...pictures)),
  }),
  'POST /api/merchant/exports': fc.record(exported),
  'POST /api/merchant/export-schedules': fc.record({
    ...exported,
    name: fc.constantFrom('Mine', unique),
    every: fc.constantFrom('daily', 'monthly'),
  }),
  'POST /api/merchant/totals': fc.record({ list: exported.list, filters: exported.filters }),
  'POST /api/merchant/test-mode/funds': amount.map((text) => ({ amount: text })),
  'POST /api/merchant/test-calls': fc.record({
    keyId: fc.constant(placeholder('key_id')),
    method: fc.constantFrom('GET', 'POST'),
    path: fc.constantFrom(
      '/openapi/v1/balance',
      '/openapi/v1/collections/list?limit=2',
      '/openapi/v1/collections',
    ),
    body: fc.constantFrom('{}', '{"out_trade_no":"t","amount":"1.00","currency":"CNY"}'),
  }),
  'POST /api/merchant/saved-views': fc.record({
    list: exported.list,
    filters: exported.filters,
    columns: fc.constant<Json>([]),
    name: fc.constantFrom('Mine', unique),
  }),
  'PUT /api/merchant/payout-batch-headings': fc.record({
    heading: fc.constantFrom('入账卡', unique),
    field: fc.constantFrom('payeeAccount', 'remark', null),
  }),
  'PUT /api/merchant/payment-password': fc.constant({
    current_payment_password: paymentPassword,
    payment_password: '123123',
    payment_password_confirmation: '123123',
  }),
  'PUT /api/merchant/ip-address': addresses.map((list) => ({ ...list, confirmClosed: true })),
  'POST /api/merchant/ip-address/preview': addresses,
  'PUT /api/merchant/access-key/regenerate': fc
    .record({ overlapHours: fc.constantFrom(0, 1, 24) })
    .map((each) => ({
      ...each,
      ...code,
    })),
  'POST /api/merchant/access-keys': keySettings,
  'PUT /api/merchant/access-keys/{key_id}': keySettings,
  'POST /api/merchant/access-keys/{key_id}/successor': fc
    .record({ overlapHours: fc.constantFrom(0, 1, 24, 168) })
    .map((each) => ({ ...each, ...code })),
  // No rules: one that nobody could meet would be refused, and any other would keep the payouts of all other calls waiting.
  'PUT /api/merchant/approval-rules': fc.integer({ min: 1, max: 30 }).map((days) => ({
    rules: [],
    days,
    payment_password: paymentPassword,
    ...code,
  })),
  'POST /api/merchant/approvals-approval': fc.constant({
    request_nos: ['A1'],
    payment_password: paymentPassword,
    ...code,
  }),
  'POST /api/merchant/team/invitations': fc.record({
    email: fc.constant(`${unique}@guests.test`),
    roles: fc.constantFrom<Json>(['SUPPORT'], ['MERCHANT_VIEWER', 'SUPPORT']),
  }),
  'POST /api/merchant/team/roles': fc.record({
    name: fc.integer({ min: 1, max: 1_000_000 }).map((number) => `Role ${unique} ${number}`),
    perms: fc.constantFrom<Json>(['collections.read'], ['payouts.create', 'team.read']),
  }),
  'PUT /api/merchant/team/roles/{role}': fc.record({
    name: fc.integer({ min: 1, max: 1_000_000 }).map((number) => `Role ${unique} ${number}`),
    perms: fc.constantFrom<Json>(['collections.read'], ['payouts.create', 'team.read']),
    version: fc.integer({ min: 1, max: 3 }),
  }),
  'PUT /api/merchant/team/members/{member_id}/roles': fc.record({
    roles: fc.constantFrom<Json>(['SUPPORT'], ['MERCHANT_VIEWER']),
  }),
  'POST /api/merchant/callbacks/send-again': fc
    .nat(10)
    .map((choice) => ({ ids: [placeholder('/api/merchant/callbacks/id', choice)] })),
  'PUT /api/merchant/callback-endpoints/{endpoint_id}/state': fc
    .constantFrom('on', 'paused', 'off')
    .map((state) => ({ state })),
  'POST /api/user/confirmed-two-factor-authentication': fc.constant({ code: placeholder('newCode') }),
  'POST /api/merchant/confirmed-two-factor-authentication': fc.constant({ code: placeholder('newCode') }),
  'POST /api/cashier/{token}/pay': fc.constant({ channel: 'CN_BANK' }),
};

/** Computes the total of a batch: its amounts plus a fee of 0.2 % on each, rounded half up. */
function totalOf(batch: readonly { amount: string }[]): string {
  const minor = batch.map(({ amount: text }) => Number(text) * 100);
  const total = minor.reduce((sum, each) => sum + each + Math.round((each * 2000) / 1_000_000), 0);
  return (total / 100).toFixed(2);
}
