import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Metrics } from '#metrics.ts';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { Worker } from './worker.ts';

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

it('takes up the jobs of a worker that died with them, and leaves those of a living one alone', async () => {
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
  // Held since before it could have been heard of: by a worker that is dead, and by one that lives.
  await pool.query(
    `insert into job_worker (pool_id, seen_at) values ('dead', now() - interval '1 minute'), ('alive', now())`,
  );
  for (const name of ['dead', 'alive']) {
    await pool.query(
      `with job as (select (graphile_worker.add_job('noted', json_build_object('name', $1::text), run_at => now() + interval '1 hour')).id)
       select from job`,
      [name],
    );
  }
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now(), locked_by = payload ->> 'name', locked_at = now() - interval '30 seconds'
     where payload ->> 'name' in ('dead', 'alive')`,
  );
  expect(
    await until(
      async () => done.join(),
      (names) => names !== '',
      15_000,
    ),
  ).toBe('dead');
  await worker.stop();
  expect(done).toEqual(['dead']);
}, 30_000);
