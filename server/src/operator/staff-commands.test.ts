import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { runOperator } from '../testing/operator-run.ts';
import { testKey } from '../testing/test-database.ts';
import { TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import { refusalText } from './refusal-text.ts';

let product: TestProduct;
let staff: TestStaff;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
  vi.stubEnv('USER', 'test');
  staff = await TestStaff.start(product);
  await staff.add('ann', 'ADMIN');
  await staff.add('sue', 'SUPPORT');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await staff.close();
  await product.close();
});

const alone = ['--email', 'sue@staff.test', '--break-glass', 'nobody is awake'];

/** Runs a command that is refused; returns what the operator reads. */
const refusalOf = (...args: string[]) =>
  runOperator('staff', ...args).then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? refusalText(error, args) : error),
  );

it('says of an account that is active or disabled already that it is, and changes nothing', async () => {
  const active = 'This account is active already. Nothing was changed. (account_active)';
  const disabled = 'This account is disabled already. Nothing was changed. (account_disabled)';
  expect(await refusalOf('enable', '--email', 'sue@staff.test')).toBe(active);
  expect(await refusalOf('enable', ...alone)).toBe(active);
  expect((await runOperator('staff', 'disable', ...alone)).text).toContain('can no longer sign in');
  expect(await refusalOf('disable', ...alone)).toBe(disabled);
  expect(await refusalOf('disable', '--email', 'sue@staff.test')).toBe(disabled);
  expect((await runOperator('staff', 'enable', ...alone)).text).toContain('can sign in again');
  expect(await refusalOf('roles', ...alone, '--role', 'SUPPORT')).toBe(
    'This account has exactly these roles already. Nothing was changed. (roles_unchanged)',
  );
});
