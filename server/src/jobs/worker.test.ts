import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Metrics } from '#observability/metrics.ts';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { Worker } from './worker.ts';
import { Workers } from './workers.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await cloneDatabase(inject('ownerUrl'));
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('takes over the jobs of a dead worker, and leaves those of a live one alone', async () => {
  const done: string[] = [];
  const task = async (payload: unknown) => void done.push((payload as { name: string }).name);
  const worker = new Worker({
    ownerUrl: database.ownerUrl,
    tasks: { noted: task },
    recurring: [],
    concurrency: 2,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  await worker.start();
  // Jobs locked for longer than the heartbeat timeout: by a dead worker, and by a live one.
  await pool.query(
    `insert into job_worker (pool_id, seen_at) values ('dead', now() - interval '1 minute'), ('alive', now())`,
  );
  const add = (name: string, key: string) =>
    pool.query(
      `with job as (
         select (graphile_worker.add_job('noted', json_build_object('name', $1::text), job_key => $2, run_at => now() + interval '1 hour')).id)
       select from job`,
      [name, key],
    );
  for (const name of ['dead', 'alive', 'replaced']) await add(name, name);
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now(), locked_by = replace(payload ->> 'name', 'replaced', 'dead'),
     locked_at = now() - interval '30 seconds' where task_id = (select id from graphile_worker._private_tasks where identifier = 'noted')`,
  );
  await add('later', 'replaced');
  expect(
    await until(
      async () => done.join(),
      (names) => names !== '',
      15_000,
    ),
  ).toBe('dead');
  await worker.stop();
  expect(done).toEqual(['dead']);
  const { rows } = await pool.query('select key from graphile_worker.jobs order by key');
  expect(rows).toEqual([{ key: 'alive' }, { key: 'replaced' }]);
}, 30_000);

it('runs recurring work one at a time, however long it takes and however often it is added', async () => {
  let running = 0;
  let peak = 0;
  let runs = 0;
  const slow = async () => {
    peak = Math.max(peak, ++running);
    await setTimeout(1500);
    running--;
    runs++;
  };
  const worker = () =>
    new Worker({
      ownerUrl: database.ownerUrl,
      tasks: { slow },
      recurring: [{ task: 'slow', everySeconds: 1 }],
      concurrency: 2,
      log: pino({ level: 'silent' }),
      metrics: new Metrics(),
    });
  // Each worker adds it when it starts, as the cron entry does each minute.
  const workers = [worker(), worker(), worker()];
  for (const one of workers) {
    await one.start();
    await setTimeout(300);
  }
  await until(
    async () => runs,
    (count) => count >= 2,
    15_000,
  );
  for (const one of workers) await one.stop();
  expect(peak).toBe(1);
}, 30_000);

it('keeps the interval of recurring work, although it is added each minute and at every start', async () => {
  let runs = 0;
  const worker = () =>
    new Worker({
      ownerUrl: database.ownerUrl,
      tasks: { hourly: async () => void runs++ },
      recurring: [{ task: 'hourly', everySeconds: 3600 }],
      concurrency: 1,
      log: pino({ level: 'silent' }),
      metrics: new Metrics(),
    });
  const waiting = async () => {
    const { rows } = await pool.query<{ seconds: number; revision: number }>(
      "select extract(epoch from run_at - now())::float8 as seconds, revision from graphile_worker.jobs where key = 'hourly' and locked_at is null",
    );
    return rows[0] ?? { seconds: 0, revision: 0 };
  };
  const [first, second] = [worker(), worker()];
  await first.start();
  await until(waiting, ({ seconds }) => seconds > 3000, 15_000);
  await second.start();
  const { revision } = await waiting();
  // The next minute begins.
  await until(waiting, (job) => job.revision > revision, 75_000);
  await setTimeout(1500);
  expect((await waiting()).seconds).toBeGreaterThan(3000);
  expect(runs).toBe(1);
  for (const one of [first, second]) await one.stop();
}, 100_000);

it('runs recurring work that has failed again before its interval is over', async () => {
  const worker = new Worker({
    ownerUrl: database.ownerUrl,
    tasks: { archive: () => Promise.reject(new Error('the database failed over')) },
    recurring: [{ task: 'archive', everySeconds: 86_400 }],
    concurrency: 1,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  await worker.start();
  const inSeconds = await until(
    async () => {
      const { rows } = await pool.query<{ seconds: number }>(
        "select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs where key = 'archive' and locked_at is null",
      );
      return rows[0]?.seconds ?? 0;
    },
    (seconds) => seconds > 10,
    15_000,
  );
  expect(inSeconds).toBeLessThan(301);
  await worker.stop();
}, 30_000);

it('stops once long jobs are done and reported', async () => {
  const begun = Promise.withResolvers<void>();
  const long = async () => {
    begun.resolve();
    await setTimeout(4500);
  };
  const worker = new Worker({
    ownerUrl: database.ownerUrl,
    tasks: { long },
    recurring: [],
    concurrency: 2,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  await worker.start();
  await pool.query("select graphile_worker.add_job('long', '{}'::json)");
  await begun.promise;
  await worker.stop();
  const { rows } = await pool.query(
    "select locked_by from graphile_worker.jobs where task_identifier = 'long'",
  );
  expect(rows).toEqual([]);
}, 15_000);

it('does not let a line wait for a stuck one', async () => {
  const never = Promise.withResolvers<void>();
  let served = 0;
  const workers = new Workers(
    [
      { tasks: { stuck: () => never.promise }, concurrency: 1 },
      { tasks: { served: async () => void served++ }, concurrency: 1 },
    ],
    { ownerUrl: database.ownerUrl, recurring: [], log: pino({ level: 'silent' }), metrics: new Metrics() },
  );
  workers.start();
  for (const task of ['stuck', 'stuck', 'served', 'stuck', 'served'])
    await pool.query("select graphile_worker.add_job($1, '{}'::json)", [task]);
  await until(
    async () => served,
    (count) => count === 2,
    15_000,
  );
  never.resolve();
  await workers.stop();
}, 30_000);

/** Backends in which a run waits to add its first job, other than those known. */
async function addingJob(known: readonly (number | undefined)[] = []): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'hengfu jobs'
       and wait_event_type = 'Lock' and query like '%add_job%' and not pid = any($1)`,
    [known],
  );
  return rows.map(({ pid }) => pid);
}
const isOne = ({ length }: readonly unknown[]) => length === 1;

it('has one run at a time, even if an abandoned one fails to start during the next', async () => {
  const done = Promise.withResolvers<void>();
  const worker = new Worker({
    ownerUrl: database.ownerUrl,
    tasks: { daily: async () => done.resolve() },
    recurring: [{ task: 'daily', everySeconds: 3600 }],
    concurrency: 2,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  const endItself = async () => {
    const listening = `select from pg_stat_activity where datname = current_database() and state = 'idle' and query like 'LISTEN%'`;
    await until(
      () => pool.query(listening),
      ({ rowCount }) => rowCount === 1,
    );
    // A run ends itself immediately if the database has a newer version of the queue.
    await pool.query(`select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 1}')`);
  };
  await pool.query(
    "select graphile_worker.add_job('daily', '{}'::json, job_key => 'daily', queue_name => 'daily')",
  );
  const lock = await pool.connect();
  await lock.query('begin');
  await lock.query("select from graphile_worker._private_jobs where key = 'daily' for update");

  void worker.start();
  const [first] = await until(addingJob, isOne);
  await endItself();
  const [second] = await until(() => addingJob([first]), isOne);
  await pool.query('select pg_terminate_backend($1)', [first]);
  await setTimeout(2000);
  expect(await addingJob([second])).toEqual([]);
  await endItself();
  await until(() => addingJob([second]), isOne);
  await lock.query('rollback');
  lock.release();

  await done.promise;
  await worker.stop();
  // The queue sets it because of the newer version.
  process.exitCode = undefined;
}, 40_000);
