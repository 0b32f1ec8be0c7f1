import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { EventStream } from '../../testing/event-stream.ts';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { StopWorld, staff } from '../../testing/stop-world.ts';
import { TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import { waitingForLocks } from '../../testing/waiting-for-locks.ts';
import { UserService } from '../merchants/users.service.ts';

let product: TestProduct;

keepRealPasswords();
beforeAll(async () => {
  // People belong to no placement, and neither do their memberships: the tests read those of two merchants.
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, hasOnePlacement: true });
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const run = (statement: ReturnType<typeof sql>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

/** A person of two merchants, who works for the second one while the membership at the first one is suspended. */
async function personOfTwo(): Promise<{ first: StopWorld; second: StopWorld }> {
  const [first, second] = [await StopWorld.make(product), await StopWorld.make(product)];
  const { userId } = first.person;
  await run(
    sql`insert into membership (merchant_id, user_id, roles) values (${second.merchant.id}, ${userId}, '{ROOT}')`,
  );
  await suspendMembership(first, true);
  return { first, second };
}

const suspendMembership = ({ merchant, person }: StopWorld, isSuspended: boolean) =>
  run(sql`update membership set disabled_at = ${isSuspended ? sql`now()` : null}
    where merchant_id = ${merchant.id} and user_id = ${person.userId}`);

async function signIn(world: StopWorld) {
  const visitor = product.visitor();
  await visitor.signIn(world.email, testPassword);
  return visitor;
}

const merchantOf = async (visitor: Awaited<ReturnType<typeof signIn>>) =>
  (await visitor.get('/api/merchant/user')).json.data?.merchant.code;

describe('a person of two merchants', () => {
  it('works for the second one once the membership at the first one is suspended, with its rights only', async () => {
    const { first, second } = await personOfTwo();
    expect((await first.visitor.get('/api/merchant/user')).status).toBe(401);
    const visitor = await signIn(first);
    expect(await merchantOf(visitor)).toBe(second.merchant.code);
    expect((await visitor.get('/api/merchant/security-events')).json.data).toHaveLength(1);
    await suspendMembership(first, false);
    expect(await merchantOf(visitor)).toBe(second.merchant.code);
    // Now there are two to choose from.
    expect((await (await signIn(first)).get('/api/merchant/user')).json.code).toBe(
      'merchant_choice_required',
    );
  });

  it('is suspended only after what was allowed at either merchant', async () => {
    const { first, second } = await personOfTwo();
    const release = Promise.withResolvers<void>();
    const inside = Promise.withResolvers<void>();
    const allowed = product.services.database.asMerchant(second.merchant.id, async (tx) => {
      await sql`select hold_standing(${second.merchant.id})`.execute(tx.query);
      inside.resolve();
      await release.promise;
    });
    await inside.promise;
    let isOver = false;
    const stopping = first.stop('person').then(() => {
      isOver = true;
    });
    await until(
      () => waitingForLocks(product.ownerUrl),
      (count) => count === 1 || isOver,
    );
    expect(isOver).toBe(false);
    release.resolve();
    await Promise.all([allowed, stopping]);
  });

  it('is suspended in the audit trail of both, and colleagues at both are notified', async () => {
    const { first, second } = await personOfTwo();
    await first.stop('person');
    const { rows } = await run(sql`select merchant_id, actor from audit
      where action = 'user.suspend' and subject = ${`user:${first.person.userId}`} order by merchant_id`);
    expect(rows).toEqual([first, second].map(({ merchant }) => ({ merchant_id: merchant.id, actor: staff })));
    const { data } = (await second.visitor.get('/api/merchant/notices')).json;
    expect(data).toMatchObject([{ kind: 'accountSuspended', subject: first.email }]);
  });

  it('stays signed in at one merchant when the other one is suspended', async () => {
    const { first, second } = await personOfTwo();
    const visitor = await signIn(first);
    const stream = await EventStream.open(product.url, visitor);
    await suspendMembership(first, false);
    const atFirst = await signIn(first);
    await atFirst.post('/api/merchant/session/merchant', { merchant: first.merchant.code });
    expect(await merchantOf(atFirst)).toBe(first.merchant.code);
    await first.stop('merchant');
    expect((await atFirst.get('/api/merchant/user')).status).toBe(401);
    expect(await merchantOf(visitor)).toBe(second.merchant.code);
    await second.stop('merchant');
    expect((await visitor.get('/api/merchant/user')).status).toBe(401);
    await stream.ended();
  });

  it('is helped by staff at the merchant that the person works for, by its rules', async () => {
    const { first, second } = await personOfTwo();
    await product.admin().requireTwoFactor(second.merchant.id, true);
    const users = new UserService(product.services.database, staff);
    expect(await users.resetTwoFactor(first.email)).toMatch(/\w/);
    const { rows } = await run(sql`select merchant_id from audit where action = 'user.reset_two_factor'
      and subject = ${`user:${first.person.userId}`}`);
    expect(rows).toEqual([{ merchant_id: second.merchant.id }]);
  });
});

it('the application reads neither credentials nor people of other merchants', async () => {
  const { first, second } = await personOfTwo();
  const { database } = product.services;
  const { rows } = await database.asMerchant(first.merchant.id, (tx) =>
    sql<{ email: string }>`select email from app_user`.execute(tx.query),
  );
  expect(rows).toEqual([{ email: first.email }]);
  expect(second.email).not.toBe(first.email);
  for (const secret of ['password_hash', 'payment_password_hash', 'two_factor_secret', 'recovery_codes']) {
    const reading = database.asMerchant(first.merchant.id, (tx) =>
      sql`select ${sql.ref(secret)} from app_user`.execute(tx.query),
    );
    await expect(reading, secret).rejects.toThrow('permission denied');
  }
  for (const table of [
    'session',
    'passkey',
    'unlock_code',
    'enrolment_code',
    'two_factor_binding',
    'workplace',
  ]) {
    const reading = database.asMerchant(first.merchant.id, (tx) =>
      sql`select from ${sql.table(table)}`.execute(tx.query),
    );
    await expect(reading, table).rejects.toThrow('permission denied');
  }
});
