import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { loginOf } from '#db/login.ts';
import { asOwner } from '#db/owner.ts';
import { describeUnless } from '../testing/describe-unless.ts';
import { EventStream } from '../testing/event-stream.ts';
import { findProgram, missingProgram } from '../testing/obstacle.ts';
import { runOperator } from '../testing/operator-run.ts';
import { type Pooler, startPgbouncer } from '../testing/pgbouncer.ts';
import { testKey } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct, throughPooler } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import { until } from '../testing/until.ts';

const login = loginOf(Buffer.from(testKey, 'hex'));
const obstacle = missingProgram('pgbouncer', 'pgbouncer');

describeUnless(obstacle, 'the product behind a pooler in transaction mode', () => {
  let pooler: Pooler;
  let product: TestProduct;
  let merchant: TestMerchant;

  beforeAll(async () => {
    // Creates the role before the pooler signs in with it.
    await (await TestProduct.start(inject('ownerUrl'))).close();
    pooler = await startPgbouncer(findProgram('pgbouncer') ?? '', inject('ownerUrl'), login);
    product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true, pooler });
    merchant = await product.merchant('pooled');
  }, 60_000);
  afterAll(async () => {
    expect(await product.violations()).toEqual([]);
    expect(await product.deadlocks()).toBe(0);
    await product.close();
    await pooler.stop();
  }, 60_000);

  it('signs people in, shows them changes as they happen, and ends their sessions', async () => {
    const person = await product.person(merchant);
    const stream = await EventStream.open(product.url, person);
    expect((await merchant.program.create('live')).status).toBe(201);
    expect((await stream.next()).topics).toContain('collections');
    const { json } = await person.get('/api/merchant/collections?out_trade_no=live');
    expect(json.data).toHaveLength(1);
    await person.post('/api/logout');
    await stream.ended();
  });

  it('pays out under load over connections that transactions share', async () => {
    await product.fund(merchant, '100000.00');
    const send = async (index: number) => {
      const order = {
        out_trade_no: `out-${index}`,
        currency: 'CNY',
        amount: `${100 + index}.00`,
        channel: 'CN_BANK',
        payee: '王芳',
        payeeAccount: '6222 0212 3456 7890 128',
        bank: 'ICBC',
        bankName: '中国工商银行',
        branchName: '北京朝阳支行',
      };
      return (await merchant.program.post('/openapi/v1/payouts', order)).status;
    };
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const statuses = await Promise.all(numbers.map(send));
    expect(statuses).toEqual(Array(100).fill(201));
    const connections = await asOwner(product.ownerUrl, (client) =>
      client.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and usename = $1 and application_name = 'hengfu'`,
        [login.name],
      ),
    );
    expect(connections.rows[0]?.count).toBeLessThanOrEqual(4);
    const statusOf = async (index: number) =>
      (await merchant.program.get(`/openapi/v1/payouts?out_trade_no=out-${index}`)).json.status;
    await until(
      () => Promise.all(numbers.map(statusOf)),
      (all) => all.every((status) => status === 'processed'),
      60_000,
    );
  }, 90_000);

  it('keeps merchants’ rows apart, whoever used the connection before', async () => {
    const { database } = product.services;
    const other = await product.merchant('neighbour');
    expect((await other.program.create('theirs')).status).toBe(201);
    const seen = (id: bigint) =>
      database.asMerchant(id, async (tx) => {
        const { merchant_id: mine } = await tx.query
          .selectFrom('collection')
          .select('merchant_id')
          .distinct()
          .executeTakeFirstOrThrow();
        return mine;
      });
    const ids = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? merchant.id : other.id));
    expect(await Promise.all(ids.map(seen))).toEqual(ids);
  });

  it('limits how long a statement may take', async () => {
    const { rows } = await product.runtime.services.database.asSystem(async (tx) => ({
      rows: await tx.query
        .selectFrom('merchant')
        .select((eb) => eb.fn<string>('current_setting', [eb.val('statement_timeout')]).as('limit'))
        .execute(),
    }));
    expect(rows[0]?.limit).toBe('30s');
  });

  it('serves the back office, and asks a second person for a command, with logins that the pooler does not know', async () => {
    const env = throughPooler(pooler, product);
    const staff = await TestStaff.start(product, { env });
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    vi.stubEnv('DATABASE_URL', product.ownerUrl);
    vi.stubEnv('APP_KEY', testKey);
    vi.stubEnv('DATA_DIR', product.dataDirectory);
    vi.stubEnv('USER', 'test');
    try {
      const ann = await staff.member('ann', 'ADMIN');
      expect((await ann.get('/api/staff/requests')).json.data).toEqual([]);
      const { text } = await runOperator('staff', 'disable', '--email', 'ann@staff.test');
      expect(text).toMatch(/^Request \d+ waits/);
      expect((await ann.get('/api/staff/requests')).json.data).toHaveLength(1);
      // Nothing listens there.
      vi.stubEnv('POOLER_URL', 'postgres://127.0.0.1:1/hengfu');
      expect((await runOperator('merchant', 'list')).text).toContain('pooled');
    } finally {
      vi.unstubAllEnvs();
      await staff.close();
    }
  });
});
