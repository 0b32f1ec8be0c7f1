import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type SilentServer, startSilentServer } from '../testing/silent-server.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import { queueCallback } from './callbacks.ts';

let product: TestProduct;
let silent: SilentServer;
/** A merchant's server that answers at once, except to paths under /hang while `hangs` is set. */
let shop: { url: string; server: Server; paths: string[]; hangs: boolean };
let merchantCount = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { worker: true });
});
afterAll(() => product.close());
beforeEach(async () => {
  silent = await startSilentServer();
  const server = createServer((request, response) => {
    request.resume();
    shop.paths.push(request.url ?? '');
    if (!(shop.hangs && request.url?.startsWith('/hang'))) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop = {
    server,
    paths: [],
    hangs: true,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
});
afterEach(async () => {
  // Discards the callbacks that a test leaves behind.
  await product.services.database.asSystem(async (tx) => {
    await tx.query.updateTable('callback_message').set({ given_up_at: sql<Date>`now()` }).execute();
    await tx.query.deleteFrom('merchant_job').where('line', '=', 'callbacks').execute();
  });
  await silent.close();
  shop.server.closeAllConnections();
  await new Promise((resolve) => shop.server.close(resolve));
});

const merchant = () => product.merchant(`fair-${merchantCount++}`);

function queue({ id }: TestMerchant, url: string, count = 1): Promise<void> {
  return product.services.database.asMerchant(id, async (tx) => {
    for (let each = 0; each < count; each++)
      await queueCallback(tx, {
        subjectKind: 'payout',
        subjectNo: randomUUID(),
        event: 'payout.processed',
        url,
        body: '{}',
      });
  });
}

const attemptsOf = ({ id }: TestMerchant) =>
  product.services.database.asMerchant(id, (tx) =>
    tx.query
      .selectFrom('callback_attempt')
      .select(['message_id', 'attempt', 'http_status', 'error', 'duration_ms'])
      .where('merchant_id', '=', id)
      .execute(),
  );
const failuresOf = ({ id }: TestMerchant) =>
  product.services.database.asSystem((tx) =>
    tx.query.selectFrom('merchant_breaker').selectAll().where('merchant_id', '=', id).execute(),
  );
const received = (path: string, count = 1, timeoutMs?: number) =>
  until(
    async () => shop.paths.filter((url) => url === path).length,
    (found) => found >= count,
    timeoutMs,
  );

it('delivers a callback while hundreds wait for another merchant’s server that never answers', async () => {
  const [dead, alive] = [await merchant(), await merchant()];
  await queue(dead, silent.url, 300);
  await until(
    async () => silent.connections().open,
    (open) => open > 0,
  );
  const startedAt = performance.now();
  await queue(alive, `${shop.url}/alive`);
  await received('/alive');
  // Sooner than an attempt at the silent server can end: the callback had a slot of its own.
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(silent.connections().most).toBeLessThanOrEqual(16);
}, 30_000);

it('times out after 3 seconds, and opens the circuit breaker after five failures in a row', async () => {
  const dead = await merchant();
  await queue(dead, silent.url, 60);
  const [failing] = await until(
    () => failuresOf(dead),
    ([row]) => row?.open_until != null,
    15_000,
  );
  expect(failing?.target).toBe(new URL(silent.url).origin);
  const tried = await attemptsOf(dead);
  for (const { attempt, http_status, error, duration_ms } of tried) {
    expect({ attempt, http_status }).toEqual({ attempt: 1, http_status: null });
    expect(error).toMatch(/timeout/);
    expect(duration_ms).toBeGreaterThanOrEqual(2900);
    expect(duration_ms).toBeLessThan(9000);
  }
  // From now on one message at a time probes the origin.
  await until(
    async () => silent.connections().open,
    (open) => open === 0,
  );
  const before = silent.connections().total;
  await until(
    async () => silent.connections().total,
    (total) => total > before,
    20_000,
  );
  expect(silent.connections().total).toBe(before + 1);
}, 60_000);

it('does not delay a merchant whose host is also a failing target of another merchant', async () => {
  const [hostile, owner] = [await merchant(), await merchant()];
  await queue(hostile, `${shop.url}/hang`, 40);
  await until(
    () => failuresOf(hostile),
    ([row]) => row?.open_until != null,
    15_000,
  );
  const startedAt = performance.now();
  await queue(owner, `${shop.url}/mine`, 3);
  await received('/mine', 3);
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(await failuresOf(owner)).toEqual([]);
}, 40_000);

it('delivers each waiting message once, soon after the server answers again', async () => {
  const owner = await merchant();
  await queue(owner, `${shop.url}/hang`, 30);
  await until(
    () => failuresOf(owner),
    ([row]) => row?.open_until != null,
    15_000,
  );
  shop.hangs = false;
  await until(
    async () => (await attemptsOf(owner)).filter(({ http_status }) => http_status === 200).length,
    (delivered) => delivered === 30,
    40_000,
  );
  expect(await failuresOf(owner)).toEqual([]);
  const delivered = (await attemptsOf(owner)).filter(({ http_status }) => http_status === 200);
  expect(new Set(delivered.map(({ message_id }) => message_id)).size).toBe(30);
}, 90_000);

it('delivers a message that was claimed by a dead worker', async () => {
  const owner = await merchant();
  const { database } = product.services;
  await queue(owner, `${shop.url}/hang`);
  await received('/hang');
  shop.hangs = false;
  await until(
    () => attemptsOf(owner),
    (tries) => tries.length === 1,
    15_000,
  );
  // The job of a worker that died a moment ago.
  const { rows } = await database.asSystem((tx) =>
    sql<{ id: string }>`
      insert into merchant_job (line, merchant_id, target, host, task, key, payload, due_at, worker, claimed_at, leased_until)
      select 'callbacks', m.merchant_id, ${shop.url}, '127.0.0.1', 'callbacks.deliver', 'callback:' || m.id,
        json_build_object('id', m.id, 'merchantId', m.merchant_id::text, 'target', ${shop.url}::text), now(), gen_random_uuid(), now(), now() + interval '1 second'
      from callback_message m where merchant_id = ${owner.id} returning payload ->> 'id' as id`.execute(
      tx.query,
    ),
  );
  expect(rows).toHaveLength(1);
  await until(
    () => attemptsOf(owner),
    (tries) => tries.some(({ http_status }) => http_status === 200),
    15_000,
  );
}, 40_000);

it('gives up messages that have waited longer than three days for an answer', async () => {
  const owner = await merchant();
  const { database } = product.services;
  await queue(owner, `${shop.url}/hang`, 20);
  await database.asSystem((tx) =>
    sql`update callback_message set created_at = now() - interval '4 days' where merchant_id = ${owner.id}`.execute(
      tx.query,
    ),
  );
  await until(
    () =>
      database.asSystem(async (tx) => {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::integer as waiting from callback_message
          where merchant_id = ${owner.id} and given_up_at is null`.execute(tx.query);
        return rows[0]?.waiting;
      }),
    // Messages that were tried before the breaker opened are still to be retried.
    (waiting) => waiting !== undefined && waiting <= 16,
    40_000,
  );
}, 60_000);

it('records failures while giving up old messages is blocked', async () => {
  const owner = await merchant();
  const { database } = product.services;
  await queue(owner, `${shop.url}/hang`, 20);
  await until(
    () => failuresOf(owner),
    ([row]) => row?.open_until != null,
    15_000,
  );
  await until(
    () => attemptsOf(owner),
    (tries) => tries.length >= 16,
  );
  await database.asSystem(async (tx) => {
    await sql`update callback_message set created_at = now() - interval '4 days' where merchant_id = ${owner.id}`.execute(
      tx.query,
    );
  });
  await asOwner(product.ownerUrl, async (holder) => {
    // Giving up messages waits for this lock.
    await holder.query('begin; lock table callback_message in share mode');
    const [{ failures } = { failures: 0 }] = await failuresOf(owner);
    await until(
      () => failuresOf(owner),
      ([row]) => (row?.failures ?? 0) > failures,
      20_000,
    );
    await holder.query('rollback');
  });
}, 60_000);
