import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { dropLogin, hasLogin } from '#db/login.ts';
import { insertAccessKey } from '#domain/access-keys.sql.ts';
import { Secrets } from '#security/secrets.ts';
import { productCommand } from '../testing/product-process.ts';
import { testKey } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import { refuseOtherKey } from './app-key-check.ts';

const own = Buffer.from(testKey, 'hex');
const other = randomBytes(32);
const none = { web: false, worker: false, staff: false, ownsInstallation: false };
const processes = {
  all: { web: true, worker: true, staff: true, ownsInstallation: true },
  web: { ...none, web: true },
  worker: { ...none, worker: true },
  staff: { ...none, staff: true },
};
type Part = keyof typeof processes;
const parts = Object.keys(processes) as Part[];

let product: TestProduct;
let staff: TestStaff;
let merchant: TestMerchant | undefined;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
});
afterAll(async () => {
  await staff.close();
  await product.close();
  await dropLogin(inject('ownerUrl'), other);
});

/** Checks the keys as a process does when it starts. */
const start = (part: Part, appKey: Buffer, previousKey?: Buffer) =>
  refuseOtherKey({ ...processes[part], appKey, previousKey }, product.ownerUrl);

/** Adds a merchant with an access key, and a member of our staff with a second factor. */
async function addSecrets(): Promise<TestMerchant> {
  await staff.add('ann', 'ADMIN');
  const sealed = product.services.secrets.encrypt('a factor');
  await staff.runtime.database.asSystem((tx) =>
    sql`update staff_user set factor_secret = ${sealed}`.execute(tx.query),
  );
  return product.merchant('sealed');
}

// In this order: the database has no secrets at first, and one that is lost at the end.
it.each(parts)('a database without secrets may get any APP_KEY: %s', async (part) => {
  await expect(start(part, other)).resolves.toBeUndefined();
});

it.each(parts)('another APP_KEY is refused, unless the right one is beside it: %s', async (part) => {
  merchant ??= await addSecrets();
  await expect(start(part, other)).rejects.toThrow('APP_KEY is not the key of this database');
  await expect(start(part, other, randomBytes(32))).rejects.toThrow('APP_KEY is not the key');
  await expect(start(part, own)).resolves.toBeUndefined();
  await expect(start(part, own, other)).resolves.toBeUndefined();
  await expect(start(part, other, own)).resolves.toBeUndefined();
});

it.each(['all', 'staff'])('a process with another APP_KEY ends with a sentence: %s', async (PROCESS) => {
  const env = {
    ...process.env,
    DATABASE_URL: product.ownerUrl,
    APP_KEY: other.toString('hex'),
    APP_URL: 'https://pay.example',
    STAFF_URL: 'https://office.example',
    PORT: '0',
    METRICS_PORT: '0',
    PROCESS,
  };
  await expect(
    promisify(execFile)(process.execPath, productCommand, { env, timeout: 45_000 }),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^APP_KEY is not the key of this database: .+\n$/),
  });
});

it('a login that was made for a refused key goes again', async () => {
  const third = randomBytes(32);
  await expect(start('all', third)).rejects.toThrow('APP_KEY is not the key');
  const doors = ['application', 'staff'] as const;
  const left = await Promise.all(doors.map((door) => hasLogin(product.ownerUrl, third, door)));
  expect(left).toEqual([false, false]);
});

it('an enrolment that another key has begun keeps nobody out', async () => {
  await staff.member('bob', 'SUPPORT');
  const pending = new Secrets(other).encrypt('begun');
  await staff.runtime.database.asSystem(async (tx) => {
    await sql`update staff_user set factor_secret = null`.execute(tx.query);
    await sql`update staff_session set pending_secret = ${pending}`.execute(tx.query);
  });
  for (const part of ['staff', 'all'] as const) await expect(start(part, own)).resolves.toBeUndefined();
});

it('a single secret that can be read permits a start: others may be lost', async () => {
  const merchantId = merchant?.id ?? 0n;
  await product.services.database.asSystem((tx) =>
    insertAccessKey(tx, {
      keyId: 'ak_a_first',
      merchantId,
      secretEncrypted: new Secrets(other).encrypt('lost'),
    }),
  );
  await expect(start('web', own)).resolves.toBeUndefined();
  await expect(start('web', other)).resolves.toBeUndefined();
});
