import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { Metrics } from '#observability/metrics.ts';
import { ShopProgram } from '../testing/shop-program.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import { waitingForLocks } from '../testing/waiting-for-locks.ts';
import { Dispatcher } from './dispatcher.ts';
import { enqueue, type Task } from './jobs.ts';
import { claimJobs, gatherJobs, renewLeases, returnFailed, type Shares } from './merchant-jobs.sql.ts';

let product: TestProduct;
let dispatchers: Dispatcher[] = [];
const gates: (() => void)[] = [];

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());
afterEach(async () => {
  for (const open of gates.splice(0)) open();
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  dispatchers = [];
});

const shares: Shares = { slots: 8, reserved: 2, perMerchant: 4, perTarget: 6, perHost: 6 };

/** Starts a dispatcher of one line with one task. */
function work(task: string, run: Task, more: Partial<Shares> = {}): Dispatcher {
  const dispatcher = new Dispatcher({
    database: product.services.database,
    lines: [{ name: task, tasks: { [task]: run }, shares: { ...shares, ...more } }],
    onJobsReady: product.runtime.feed.onJobsReady,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  dispatcher.start();
  dispatchers.push(dispatcher);
  return dispatcher;
}

function plan(task: string, merchantId: number, count: number, more: object = {}): Promise<void> {
  return product.services.database.asSystem(async (tx) => {
    for (let each = 0; each < count; each++)
      await enqueue(
        tx,
        task,
        { merchantId: String(merchantId), each, ...more },
        { key: `${task}:${merchantId}:${JSON.stringify(more)}:${each}` },
      );
  });
}

/** Opens the test merchant of a live merchant; returns its ID. */
async function testMerchantOf({ id }: TestMerchant): Promise<bigint> {
  const { rows } = await product.services.database.asSystem(async (tx) => {
    await sql`select open_twin(${id})`.execute(tx.query);
    return sql<{ id: bigint }>`select id from merchant where live_merchant_id = ${id}`.execute(tx.query);
  });
  return rows[0]?.id ?? 0n;
}

const remaining = async (task: string) => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ count: number }>`select count(*)::integer as count from merchant_job where task = ${task}`.execute(
      tx.query,
    ),
  );
  return rows[0]?.count;
};

/** A task whose jobs wait until `open` is called, and counts of its jobs. */
function gate() {
  const begun: string[] = [];
  const running = new Map<string, number>();
  const peak = new Map<string, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.push(resolve);
  const run: Task = async (payload) => {
    const { merchantId, target } = payload as { merchantId: string; target?: string };
    begun.push(merchantId);
    for (const name of [merchantId, target ?? '']) {
      const now = (running.get(name) ?? 0) + 1;
      running.set(name, now);
      peak.set(name, Math.max(peak.get(name) ?? 0, now));
    }
    await promise;
    for (const name of [merchantId, target ?? '']) running.set(name, (running.get(name) ?? 0) - 1);
  };
  return { run, begun, peak, open: resolve };
}

const untilBegun = (begun: readonly string[], count: number) =>
  until(
    async () => begun.length,
    (found) => found >= count,
  );

it('serves merchants round-robin, however many jobs came first', async () => {
  const { run, begun, peak, open } = gate();
  await plan('rounds', 1, 500);
  await plan('rounds', 2, 3);
  await plan('rounds', 3, 1);
  work('rounds', run);
  await untilBegun(begun, 6);
  // Round-robin; the last two slots are reserved for merchants that hold none.
  expect(begun).toEqual(['1', '2', '3', '1', '2', '1']);
  open();
  await until(
    () => remaining('rounds'),
    (count) => count === 0,
  );
  expect(begun).toHaveLength(504);
  expect(peak.get('1')).toBeLessThanOrEqual(4);
}, 30_000);

it('reserves slots for merchants that hold none', async () => {
  const { run, begun, open } = gate();
  await plan('reserve', 1, 50);
  await plan('reserve', 2, 50);
  work('reserve', run);
  await untilBegun(begun, 6);
  await plan('reserve', 3, 2);
  await untilBegun(begun, 7);
  expect(begun.slice(6)).toEqual(['3']);
  open();
  await until(
    () => remaining('reserve'),
    (count) => count === 0,
  );
}, 30_000);

it('limits jobs per target, and reserves the last third for merchants that hold none there', async () => {
  const { run, begun, peak, open } = gate();
  const at = { target: 'slow', host: 'slow' };
  await plan('targets', 1, 20, at);
  await plan('targets', 2, 20, at);
  await plan('targets', 3, 20, at);
  await plan('targets', 4, 1, { target: 'quick', host: 'quick' });
  work('targets', run, { slots: 20, reserved: 0 });
  await untilBegun(begun, 5);
  expect(begun.toSorted()).toEqual(['1', '1', '2', '3', '4']);
  await plan('targets', 5, 1, at);
  await untilBegun(begun, 6);
  expect(begun.at(-1)).toBe('5');
  open();
  await until(
    () => remaining('targets'),
    (count) => count === 0,
  );
  expect(peak.get('slow')).toBeLessThanOrEqual(6);
}, 30_000);

it('serves test merchants at a channel without using the slots of live ones', async () => {
  const live = await product.merchant('modes');
  const testId = await testMerchantOf(live);
  const key = { id: 'ak_test_modes', secret: 'sk_test_modes' };
  await product.admin().addAccessKey(testId, key.id, key.secret);
  const order = { channel: 'CN_BANK' };
  const liveNo = (await live.program.create('modes', order)).json.trade_no;
  const testNo = (await new ShopProgram(product.url, key).create('modes', order)).json.trade_no;
  const { run, begun, open } = gate();
  await plan('modes', Number(live.id), 20, { tradeNo: liveNo });
  await plan('modes', Number(testId), 20, { tradeNo: testNo });
  await plan('modes', Number(live.id) + 100, 20, { channel: 'CN_BANK' });
  work('modes', run, { slots: 20, reserved: 0 });
  await untilBegun(begun, 8);
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<object>`select target, count(worker)::integer as running from merchant_job
      where task = 'modes' group by target order by target`.execute(tx.query),
  );
  expect(rows).toEqual([
    { target: 'CN_BANK', running: 4 },
    { target: 'test:CN_BANK', running: 4 },
  ]);
  open();
  await until(
    () => remaining('modes'),
    (count) => count === 0,
  );
}, 30_000);

it('runs each job once with several workers', async () => {
  const done = new Map<number, number>();
  const run: Task = async (payload) => {
    const { each } = payload as { each: number };
    done.set(each, (done.get(each) ?? 0) + 1);
  };
  for (let worker = 0; worker < 3; worker++) work('several', run);
  await plan('several', 1, 400);
  await until(
    async () => done.size,
    (size) => size === 400,
  );
  expect([...done.values()].every((times) => times === 1)).toBe(true);
}, 30_000);

it('retries a failed job later, and stores its error', async () => {
  let tries = 0;
  work('fails', async () => {
    if (++tries === 1) throw new Error('not this time');
  });
  await plan('fails', 1, 1);
  const error = async () => {
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{
        error: string | null;
      }>`select last_error as error from merchant_job where task = 'fails'`.execute(tx.query),
    );
    return rows[0]?.error;
  };
  await until(error, (text) => text === 'not this time');
  await until(
    async () => tries,
    (count) => count === 2,
  );
  await until(
    () => remaining('fails'),
    (count) => count === 0,
  );
}, 30_000);

it('continues after a job whose error message cannot be stored', async () => {
  let done = 0;
  work('unstorable', async (payload) => {
    if ((payload as { merchantId: string }).merchantId === '1') throw new Error('a\0b \ud800');
    done++;
  });
  await plan('unstorable', 1, 1);
  const error = async () => {
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{
        error: string | null;
      }>`select last_error as error from merchant_job where task = 'unstorable'`.execute(tx.query),
    );
    return rows[0]?.error;
  };
  await until(error, (text) => text === 'a\ufffdb \ufffd');
  await plan('unstorable', 2, 3);
  await until(
    async () => done,
    (count) => count === 3,
  );
}, 30_000);

it('replaces a failed job by one with the same key that leaves the queue at the same time', async () => {
  const { database } = product.services;
  const lines = new Map([['crossing', 'crossing']]);
  const [worker, key] = [randomUUID(), 'crossing:1:{}:0'];
  await plan('crossing', 1, 1);
  const share = { line: 'crossing', free: 1, afterMerchant: -1n, shares };
  const [job] = await database.asSystem(async (tx) => {
    await gatherJobs(tx, lines, 10);
    return claimJobs(tx, worker, share);
  });
  if (!job) throw new Error('nothing was claimed');
  await plan('crossing', 1, 1);
  let returned: Promise<void> | undefined;
  await database.asSystem(async (tx) => {
    await gatherJobs(tx, lines, 10);
    returned = database.asSystem((other) => returnFailed(other, worker, job, 'failed'));
    returned.catch(() => {});
    await until(
      () => waitingForLocks(product.ownerUrl),
      (count) => count > 0,
    );
  });
  await returned;
  const { rows } = await database.asSystem((tx) =>
    sql`select id <> ${job.id} as "isLater", worker, last_error from merchant_job where key = ${key}`.execute(
      tx.query,
    ),
  );
  expect(rows).toEqual([{ isLater: true, worker: null, last_error: null }]);
});

it('serves other merchants while an expired breaker is locked', async () => {
  const served: string[] = [];
  const failing = await product.merchant('breaker-held');
  const { database } = product.services;
  await database.asSystem((tx) =>
    sql`insert into merchant_breaker (merchant_id, target, failures, open_until)
      values (${failing.id}, 'held', 9, now() - interval '1 second')`.execute(tx.query),
  );
  await database.asSystem(async (tx) => {
    await sql`update merchant_breaker set failed_at = now() where target = 'held'`.execute(tx.query);
    work('breakers', async (payload) => void served.push((payload as { merchantId: string }).merchantId));
    await plan('breakers', Number(failing.id), 1, { target: 'held' });
    await plan('breakers', Number(failing.id) + 1, 1);
    await untilBegun(served, 1);
    expect(served).toEqual([String(failing.id + 1n)]);
  });
  await untilBegun(served, 2);
}, 30_000);

it('restarts the jobs of a dead worker once its leases have expired, and not before', async () => {
  let done = 0;
  await product.services.database.asSystem((tx) =>
    sql`insert into merchant_job (line, merchant_id, target, host, task, key, payload, due_at, worker, claimed_at, leased_until)
      select 'leases', 1, '', '', 'leases', key, '{}', now(), gen_random_uuid(), now(), now() + wait * interval '1 second'
      from (values ('dead', 0), ('living', 3600)) as held (key, wait)`.execute(tx.query),
  );
  work('leases', async () => void done++);
  await until(
    () => remaining('leases'),
    (count) => count === 1,
  );
  expect(done).toBe(1);
});

it('leaves a failed job to the worker that has claimed it meanwhile', async () => {
  const { database } = product.services;
  const [late, next] = [randomUUID(), randomUUID()];
  const { rows } = await database.asSystem((tx) =>
    sql<{ id: bigint }>`
      insert into merchant_job (line, merchant_id, target, host, task, key, payload, due_at, worker, claimed_at, leased_until)
      values ('late', 1, '', '', 'late', 'late', '{}', now(), ${late}::uuid, now(), now()) returning id`.execute(
      tx.query,
    ),
  );
  const { id } = rows[0] as { id: bigint };
  let returned: Promise<void> | undefined;
  await database.asSystem(async (claiming) => {
    await sql`update merchant_job set worker = ${next}::uuid where id = ${id}`.execute(claiming.query);
    returned = database.asSystem((tx) => returnFailed(tx, late, { id, attempts: 1 }, 'refused'));
    returned.catch(() => {});
    await until(
      () => waitingForLocks(product.ownerUrl),
      (count) => count > 0,
    );
  });
  await returned;
  const { rows: after } = await database.asSystem((tx) =>
    sql`delete from merchant_job where id = ${id} returning worker, last_error`.execute(tx.query),
  );
  expect(after).toEqual([{ worker: next, last_error: null }]);
});

it('renews leases without waiting for jobs that are being reported', async () => {
  const { database } = product.services;
  const worker = randomUUID();
  const { rows } = await database.asSystem((tx) =>
    sql<{ id: bigint }>`
      insert into merchant_job (line, merchant_id, target, host, task, key, payload, due_at, worker, claimed_at, leased_until)
      select 'renewals', 1, '', '', 'renewals', 'renewals:' || n, '{}', now(), ${worker}::uuid, now(), now() + interval '1 second'
      from generate_series(1, 3) n returning id`.execute(tx.query),
  );
  const [first, reported, last] = rows.map(({ id }) => id) as [bigint, bigint, bigint];
  const renewed = await database.asSystem(async (reporting) => {
    await returnFailed(reporting, worker, { id: reported, attempts: 1 }, 'refused');
    await database.asSystem((tx) => renewLeases(tx, worker, [last, reported, first]));
    return sql<{ id: bigint }>`
      select id from merchant_job where worker = ${worker}::uuid and leased_until > now() + interval '10 seconds' order by id`.execute(
      reporting.query,
    );
  });
  expect(renewed.rows.map(({ id }) => id)).toEqual([first, last]);
  await database.asSystem((tx) => sql`delete from merchant_job where line = 'renewals'`.execute(tx.query));
});

it('stops once its jobs are done and reported', async () => {
  const { run, begun, open } = gate();
  await plan('stops', 1, 1);
  const dispatcher = work('stops', run);
  await untilBegun(begun, 1);
  const stopped = dispatcher.stop();
  open();
  await stopped;
  expect(await remaining('stops')).toBe(0);
});
