import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dropLogin, ensureLogin, loginOf, urlAs } from '#db/login.ts';
import { asOwner } from '#db/owner.ts';
import { insertAccessKey } from '#domain/access-keys.sql.ts';
import { Secrets } from '#security/secrets.ts';
import { operatorMain } from '../../testing/product-process.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { type Served, serve } from '../../testing/test-installation.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { codeOf, earlierCodeOf } from '../../testing/totp.ts';
import { until } from '../../testing/until.ts';
import { Visitor } from '../../testing/visitor.ts';

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const both = { APP_KEY: newKey.toString('hex'), APP_KEY_PREVIOUS: oldKey.toString('hex') };
/** Falls into the third batch of the rotation, which goes by key order. */
const heldKey = 'ak_bulk_0430';

/** Starting processes takes seconds on a busy machine. */
const commandsMs = 120_000;

let product: TestProduct;
let bothKeysServer: Served;
let rotated: Served;
let merchant: TestMerchant;
let factor: { email: string; secret: string; codes: string[] };
let slip: string;

beforeAll(async () => {
  const env = { APP_KEY: oldKey.toString('hex') };
  product = await TestProduct.start(inject('ownerUrl'), { env, bank: true, worker: true });
  merchant = await product.merchant('keys');
  await product.fund(merchant, '1000.00');
  const { database, secrets } = product.services;
  await database.asSystem(async (tx) => {
    for (let number = 0; number < 450; number++) {
      const keyId = `ak_bulk_${String(number).padStart(4, '0')}`;
      const secretEncrypted = secrets.encrypt(`secret of ${keyId}`);
      await insertAccessKey(tx, { keyId, merchantId: merchant.id, secretEncrypted });
    }
  });
  const visitor = await product.person(merchant);
  slip = await makeSlip(visitor);
  factor = await addFactor(visitor);
  bothKeysServer = await serve(product.ownerUrl, product.dataDirectory, { ...both, PROCESS: 'web' });
}, commandsMs);
afterAll(async () => {
  await bothKeysServer?.stop();
  await rotated?.stop();
  await product.close();
  for (const key of [oldKey, newKey]) await dropLogin(inject('ownerUrl'), key);
});

async function makeSlip(visitor: Visitor): Promise<string> {
  const { json } = await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: 'slip',
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '20.00',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222 0212 3456 7890 128',
  });
  const path = `/api/merchant/payouts/${json.trade_no}`;
  await until(
    async () => (await visitor.get(path)).json.data.status,
    (status) => status === 'processed',
  );
  const { url } = (await visitor.post(`${path}/slip`, {})).json.data;
  return `/api/payout-slips/${url.slice(url.lastIndexOf('/') + 1)}`;
}

async function addFactor(visitor: Visitor) {
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  await visitor.post('/api/user/two-factor-authentication', {});
  const secret = (await visitor.get('/api/user/two-factor-secret-key')).json.secretKey;
  const confirm = '/api/user/confirmed-two-factor-authentication';
  expect((await visitor.post(confirm, { code: await earlierCodeOf(secret) })).status).toBe(200);
  const codes = (await visitor.get('/api/user/two-factor-recovery-codes')).json;
  return { email: `merchant_admin@${merchant.code}.test`, secret, codes };
}

/** Signs in with a second factor at a server. Returns the HTTP status. */
async function signIn(url: string, answer: object): Promise<number> {
  const visitor = new Visitor(url);
  expect((await visitor.signIn(factor.email, testPassword)).json).toEqual({ two_factor: true });
  return (await visitor.post('/api/two-factor-challenge', answer)).status;
}

let orders = 0;
const order = (url: string, key = merchant.program.key) =>
  new ShopProgram(url, key).create(`order-${orders++}`).then(({ status }) => status);

function startRotation(env: NodeJS.ProcessEnv = both): ChildProcess {
  return spawn(process.execPath, [operatorMain, 'key', 'rotate'], {
    env: { ...process.env, DATABASE_URL: product.ownerUrl, DEMO: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function outcomeOf(child: ChildProcess): Promise<{ code: number; text: string }> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (text += piece));
  const [code] = await once(child, 'close');
  return { code, text };
}

/** Counts the values in the whole database that a key alone can decrypt. */
async function readableBy(key: Buffer): Promise<number> {
  const secrets = new Secrets(key);
  return asOwner(product.ownerUrl, async (client) => {
    const { rows: columns } = await client.query<{ table: string; column: string }>(`
      select c.oid::regclass::text as table, quote_ident(a.attname) as column from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.atttypid = 'bytea'::regtype and a.attnum > 0
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`);
    let found = 0;
    await client.query('begin');
    for (const { table, column } of columns) {
      await client.query(`alter table ${table} no force row level security`);
      const { rows } = await client.query<{ value: Buffer }>(
        `select ${column} as value from ${table} where ${column} is not null`,
      );
      for (const { value } of rows) if (isReadable(secrets, value)) found++;
    }
    await client.query('rollback');
    return found;
  });
}

function isReadable(secrets: Secrets, value: Buffer): boolean {
  try {
    secrets.decrypt(value);
    return true;
  } catch {
    return false;
  }
}

/** Counts the re-encrypted rows according to the audit trail. */
async function rotatedRows(): Promise<number> {
  const rows = await product.services.database.asSystem((tx) =>
    tx.query.selectFrom('audit').select('after').where('action', '=', 'key.rotate').execute(),
  );
  return rows.reduce((sum, { after: facts }) => sum + Number((facts as { rows: number }).rows), 0);
}

// The tests run in this order and follow one key through its rotation.
describe('a key rotation', { timeout: commandsMs }, () => {
  it('requires two different keys', async () => {
    expect(await outcomeOf(startRotation({ ...both, APP_KEY_PREVIOUS: '' }))).toMatchObject({ code: 1 });
    expect((await outcomeOf(startRotation({ ...both, APP_KEY_PREVIOUS: both.APP_KEY }))).text).toMatch(
      /the same key/,
    );
  });

  it('can be killed midway, while orders are still created', async () => {
    expect(await readableBy(oldKey)).toBe(453);
    let release = () => {};
    const held = product.services.database.asSystem(async (tx) => {
      await sql`select from access_key where key_id = ${heldKey} for update`.execute(tx.query);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const child = startRotation();
    await until(rotatedRows, (count) => count === 400, commandsMs);
    expect(await Promise.all([order(bothKeysServer.url), order(product.url)])).toEqual([201, 201]);
    child.kill('SIGKILL');
    await once(child, 'close');
    release();
    await held;
    expect([await readableBy(oldKey), await readableBy(newKey)]).toEqual([53, 400]);
    expect(await order(bothKeysServer.url, { id: heldKey, secret: `secret of ${heldKey}` })).toBe(201);
  });

  it('resumes after a kill, and leaves nothing that the old key can decrypt', async () => {
    const first = await outcomeOf(startRotation());
    expect(first).toMatchObject({ code: 0, text: expect.stringMatching(/^53 .*, 400 .* still use/) });
    expect([await readableBy(oldKey), await readableBy(newKey)]).toEqual([0, 453]);
    expect((await outcomeOf(startRotation())).text).toMatch(/^0 .*, 453 /);
    expect(await rotatedRows()).toBe(453);
  });

  it('keeps earlier access keys, second factors, recovery codes and links working', async () => {
    const { secret, codes } = factor;
    expect(await order(bothKeysServer.url)).toBe(201);
    expect(await signIn(bothKeysServer.url, { code: codeOf(secret) })).toBe(204);
    expect(await signIn(bothKeysServer.url, { recovery_code: codes[0] })).toBe(204);
    expect((await new Visitor(bothKeysServer.url).get(slip)).status).toBe(200);
  });

  it('without the old key, still decrypts everything, but invalidates earlier links', async () => {
    const env = { APP_KEY: both.APP_KEY, PROCESS: 'web' };
    rotated = await serve(product.ownerUrl, product.dataDirectory, env);
    expect(await order(rotated.url)).toBe(201);
    expect(await order(rotated.url, { id: heldKey, secret: `secret of ${heldKey}` })).toBe(201);
    expect(await signIn(rotated.url, { recovery_code: factor.codes[1] })).toBe(204);
    expect((await new Visitor(rotated.url).get(slip)).status).toBe(404);
  });

  it('drops the old database login once no session uses it', async () => {
    const key = randomBytes(32);
    const { name } = loginOf(key);
    await ensureLogin(product.ownerUrl, key);
    const isThere = async () =>
      (
        await asOwner(product.ownerUrl, (client) =>
          client.query('select from pg_roles where rolname = $1', [name]),
        )
      ).rowCount;
    const using = new pg.Client({ connectionString: urlAs(product.ownerUrl, loginOf(key)) });
    await using.connect();
    expect([await dropLogin(product.ownerUrl, key), await isThere()]).toEqual([1, 1]);
    await using.end();
    await until(
      () => dropLogin(product.ownerUrl, key),
      (sessions) => sessions === 0,
    );
    expect(await isThere()).toBe(0);
  });
});
