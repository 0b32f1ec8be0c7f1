import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { inSnapshot, listTables } from '#db/backup/tables.ts';
import { loginOf } from '#db/login.ts';
import { asOwner } from '#db/owner.ts';
import { unpackCalls } from '#domain/call-blocks.ts';
import { freshKey } from '../../features/access-key/new-key.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { testKey } from '../../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { codeOf } from '../../testing/totp.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let program: ShopProgram;
const lines: string[] = [];
/** Every secret of the run, by name. */
const secrets = new Map<string, string>();
const secret = (name: string, value = randomBytes(18).toString('base64url')): string => {
  secrets.set(name, value);
  return value;
};
const email = 'holder@unseen.test';
const freshSecret = () => freshKey({ code: 'unseen', mode: 'live' }).secret;

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true, log });
  merchant = await product.merchant('unseen');
  const key = { id: 'ak_unseen_two', secret: secret('key secret', freshSecret()) };
  await product.admin().addAccessKey(merchant.id, key.id, key.secret);
  program = new ShopProgram(product.url, key);
}, 60_000);
afterAll(() => product.close());

const collections = '/openapi/v1/collections';
const payout = (number: string, fields: object = {}) => ({
  out_trade_no: number,
  currency: 'CNY',
  channel: 'CN_BANK',
  amount: '1.00',
  payee: '王芳',
  payeeAccount: '123456789012',
  bank: 'ICBC',
  bankName: 'ICBC',
  ...fields,
});

/** Makes calls of every kind, with secrets wherever a careless program could put them. Returns the ID of the last one. */
async function callOpenApi(): Promise<string> {
  const { key } = program;
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const nonce = secret('nonce of a wrong signature');
  const order = (number: string) => ({ out_trade_no: number, amount: '1.00', currency: 'CNY' });
  const created = await program.create('seen', {
    notifyUrl: `${product.url}/hook/${secret('path of the callback URL')}?token=${secret('query of the callback URL')}`,
    returnUrl: `https://shop.test/?session=${secret('query of the return URL')}`,
  });
  expect(created.status).toBe(201);
  secret('token of the checkout page', new URL(created.json.cashierUrl).pathname.split('/').at(-1));
  const told = [freshSecret(), `Basic ${encoded(`${key.id}:${freshSecret()}`)}`];
  for (const [number, value] of told.entries()) {
    const { status } = await program.create(`told-${number}`, {
      subject: secret(`subject ${number}`, value),
    });
    expect(status).toBe(201);
  }
  await product.fund(merchant, '100.00');
  expect((await program.post('/openapi/v1/payouts', payout('seen'))).status).toBe(201);
  await program.get(`${collections}/${created.json.trade_no}`);
  await program.get(`${collections}?out_trade_no=seen&password=${secret('password in a query')}`);
  await program.post(`${collections}/${created.json.trade_no}/cancel`);
  await program.create('careless', { subject: `my key is ${key.secret}`, secret: key.secret });
  const basic = `Basic ${secret('key secret in Base64', encoded(`${key.id}:${key.secret}`))}`;
  await program.create('encoded', { subject: basic, authorization: basic });
  await program.create('unknown', {
    password: secret('password in a body'),
    nested: { deep: [secret('deep in a body')] },
  });
  await program.post('/openapi/v1/payouts', payout('bad', { amount: '-', remark: secret('remark') }));
  await program.get(`/openapi/v1/${key.secret}`);
  await callWithSecretsAsNumbers();
  await program.post(collections, `{"broken": "${secret('body that is not JSON')}`);
  const wrong = secret('wrong signature', randomBytes(32).toString('hex'));
  await program.post(`${collections}?a=${secret('query of a wrong signature')}`, order('w'), {
    nonce,
    headers: { 'x-signature': wrong },
  });
  await program.post(collections, order('x'), { headers: { 'x-nonce': secret('short', 'Zq7-kP') } });
  await program.post(collections, order('x'), { timestamp: '1', nonce: secret('nonce of an old call') });
  // Sends the secret in place of the key's ID and of the signature.
  await program.post(collections, order('x'), { headers: { 'x-key': key.secret } });
  await program.post(collections, order('x'), { headers: { 'x-signature': key.secret } });
  const repeated = { nonce: randomUUID() };
  await program.create('once', {}, repeated);
  const last = await program.create('twice', {}, repeated);
  return last.headers.get('x-request-id') ?? '';
}

/** Sends secrets as numbers of orders, as names of fields, where texts are cut, and before the key is looked up. */
async function callWithSecretsAsNumbers(): Promise<void> {
  const { key } = program;
  const other = secret('key secret that is not the own one', freshSecret());
  const hook = secret('callback secret', `whsec_${randomBytes(24).toString('base64url')}`);
  for (const [number, value] of [key.secret, other, hook].entries()) {
    const signed = { headers: { 'x-signature': 'f'.repeat(64) } };
    await program.get(`${collections}/${value}`);
    await program.get(`${collections}?out_trade_no=${value}`);
    await program.get(`${collections}?${value}=1&subject=${value}`, signed);
    await program.post(collections, { out_trade_no: value, amount: '-', currency: 'CNY', [value]: value });
    for (const length of [15, 40, 230])
      await program.create(`cut-${number}-${length}`, {
        subject: 'x'.repeat(length) + value,
        [`${'n'.repeat(length)}${value}`]: '1',
        amount: '-',
      });
    await program.post(collections, { out_trade_no: value, subject: value, [value]: 1 }, { timestamp: '1' });
    // Nobody serves this path, so its body is parsed without being signed.
    await program.post('/openapi/v1/collection', { out_trade_no: value, subject: value, [value]: value });
  }
}

/** Signs in, binds a second factor, and reveals the key. */
async function useConsole(): Promise<Visitor> {
  const password = secret('login password', `Pw-${randomBytes(12).toString('hex')}`);
  const user = { email, name: 'Holder', password, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  const visitor = product.visitor();
  await visitor.signIn(email, secret('mistyped password'));
  await visitor.signIn(email, password);
  await visitor.post('/api/user/confirm-password', { password });
  await visitor.post('/api/user/two-factor-authentication', {});
  const { secretKey } = (await visitor.get('/api/user/two-factor-secret-key')).json;
  secret('secret of the authenticator app', secretKey);
  await visitor.post('/api/user/confirmed-two-factor-authentication', { code: codeOf(secretKey) });
  const codes = (await visitor.get('/api/user/two-factor-recovery-codes')).json as string[];
  for (const [number, code] of codes.entries()) secret(`recovery code ${number}`, code);
  for (const [name, value] of visitor.cookies)
    if (!name.startsWith('XSRF')) secret(`cookie ${name}`, decodeURIComponent(value));
  return visitor;
}

/** Returns the text of every table, as a backup reads it; that of calls in blocks is compressed, so they are unpacked. */
async function wholeDatabase(): Promise<Map<string, string>> {
  const { ownerUrl } = product;
  const tables = await asOwner(ownerUrl, listTables);
  const texts = new Map<string, string>();
  await inSnapshot(ownerUrl, loginOf(Buffer.from(testKey, 'hex')), async (_owner, readerOf) => {
    for (const table of tables) {
      const { rows } = await readerOf(table).query(`select t::text as text from ${table.name} t`);
      texts.set(table.name, rows.map(({ text }) => text).join('\n'));
      if (table.name !== 'public.api_request_block') continue;
      const blocks = await readerOf(table).query('select content from api_request_block');
      texts.set(
        'calls in blocks',
        JSON.stringify(blocks.rows.flatMap(({ content }) => unpackCalls(content))),
      );
    }
  });
  return texts;
}

/** The forms in which a secret could be stored: as text, or as bytes in hexadecimal. */
const formsOf = (value: string) => [value, Buffer.from(value).toString('hex')];

it('no secret of a run of calls of every kind is in the database or in the log', async () => {
  const visitor = await useConsole();
  const last = await callOpenApi();
  const { json } = await until(
    () => visitor.get(`/api/merchant/requests?request_id=${last}`),
    (answer) => answer.json.data.length > 0,
  );
  expect(json.data[0].code).toBe('nonce_replayed');
  await until(
    () => visitor.get('/api/merchant/requests?order_no=twice'),
    (answer) => answer.json.data.length === 1,
  );
  for (const filters of ['order_no=told-1', 'path=/openapi/v1/payouts&result=done'])
    await until(
      () => visitor.get(`/api/merchant/requests?${filters}`),
      (answer) => answer.json.data.length === 1,
    );
  const texts = await wholeDatabase();
  // The search would find what is stored: the calls are there, and the masked ones among them.
  expect(texts.get('public.api_request')).toContain('careless');
  for (const masked of ['•••9012', 'told-0', 'Basic YWtf'])
    expect(texts.get('calls in blocks')).toContain(masked);
  expect(lines.join('')).toContain('/openapi/v1/collections');
  // Orders keep their subjects, the addresses to which callbacks go and payers return, and their checkout page; attempts keep the addresses again.
  const ofOrders = /callback URL|return URL|checkout page|^subject /;
  const ownRemark = /^remark$/;
  const found: string[] = [];
  for (const [name, value] of secrets) {
    const forms = formsOf(value);
    for (const [table, text] of texts) {
      const isOwn = ofOrders.test(name) && /^public\.(collection|callback_message|merchant_job)$/.test(table);
      const isNonce = /nonce/.test(name) && table === 'public.used_nonce';
      if (!isOwn && !isNonce && !ownRemark.test(name) && forms.some((form) => text.includes(form)))
        found.push(`${name} in ${table}`);
    }
    if (forms.some((form) => lines.some((line) => line.includes(form)))) found.push(`${name} in the log`);
  }
  expect(found).toEqual([]);
  expect(secrets.size).toBeGreaterThan(20);
});
