import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OwnCluster, startOwnCluster, urlOfPorts } from '../../testing/own-cluster.ts';
import { until } from '../../testing/until.ts';
import { Database } from '../database.ts';
import { urlAs } from '../login.ts';
import { asOwner } from '../owner.ts';
import { openPool } from '../pool.ts';

let cluster: OwnCluster;

beforeAll(async () => {
  cluster = await startOwnCluster();
  await asOwner(cluster.ownerUrl, (owner) =>
    owner.query('create table kept (number integer); grant select, insert on kept to hengfu_system'),
  );
}, 120_000);
afterAll(() => cluster?.remove());

/** The message ReadyForQuery outside of a transaction: what ends the reply to a COMMIT. */
const idle = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** Starts a proxy that can hold replies back until a transaction has ended, and then delivers them in one packet. */
async function startReplyHolder(port: number) {
  let isHolding = false;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => {});
    near.pipe(far);
    let held: Buffer[] = [];
    far.on('data', (data) => {
      held.push(data);
      if (isHolding && !data.subarray(-idle.length).equals(idle)) return;
      near.write(Buffer.concat(held));
      held = [];
    });
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      isHolding = true;
    },
    close: () => server.close(),
  };
}

it('reports a commit as done, and runs it once, if the server is fenced off before its replies arrive', async () => {
  const holder = await startReplyHolder(cluster.port);
  const pool = openPool(urlAs(urlOfPorts(cluster.ownerUrl, [holder.port]), cluster.login), {
    max: 1,
    applicationName: 'fenced commit',
    onError: () => {},
  });
  const database = new Database(pool, { prepares: true });
  await database.asSystem((tx) => sql`select`.execute(tx.query));
  holder.hold();
  const keep = await asOwner(cluster.ownerUrl, async (owner) => {
    await owner.query('select pg_advisory_lock(77)');
    const keep = database.asSystem(
      (tx) => sql`insert into kept select 1 from pg_advisory_xact_lock(77)`.execute(tx.query),
      { oneStatement: true },
    );
    const done = keep.then(
      () => 'committed',
      (error: unknown) => error,
    );
    await until(
      () => cluster.ask<bigint>(`select count(*) from pg_locks where locktype = 'advisory' and not granted`),
      (count) => Number(count) === 1,
    );
    await cluster.ask('alter system set default_transaction_read_only = on');
    await cluster.ask('select pg_reload_conf()');
    await until(
      () => cluster.ask<string>('show default_transaction_read_only'),
      (state) => state === 'on',
    );
    await owner.query('select pg_advisory_unlock(77)');
    return { done };
  });
  expect(await keep.done).toBe('committed');
  expect(Number(await countKept())).toBe(1);
  await pool.end();
  holder.close();
}, 60_000);

async function countKept(): Promise<unknown> {
  await cluster.ask('alter system set default_transaction_read_only = off');
  await cluster.ask('select pg_reload_conf()');
  return until(
    () =>
      asOwner(cluster.ownerUrl, async (owner) => {
        const { rows } = await owner.query('select count(*)::integer as count from kept');
        return rows[0]?.count;
      }).catch(() => undefined),
    (count) => count !== undefined,
  );
}
