import { setTimeout as pause } from 'node:timers/promises';
import { asOwner } from '@hengfu/server/db/owner.ts';
import pg from 'pg';

/**
 * Inserts single rows at a fixed rate, each durable, over as many connections as the load beside which it is the yardstick.
 * @returns milliseconds from when each insert was due, so that a stall affects all that queue behind it
 */
export async function measureInserts(
  ownerUrl: string,
  { clients, seconds, perSecond }: { clients: number; seconds: number; perSecond: number },
): Promise<number[]> {
  await asOwner(ownerUrl, (owner) =>
    owner.query('create table if not exists bench_insert (id bigserial primary key, body text not null)'),
  );
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString: ownerUrl }));
  await Promise.all(connections.map((connection) => connection.connect()));
  const latenciesMs: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const insertOn = async (connection: pg.Client) => {
    for (;;) {
      const dueMs = (next++ * 1000) / perSecond;
      if (dueMs >= seconds * 1000) return;
      const waitMs = startedAt + dueMs - performance.now();
      if (waitMs > 1) await pause(waitMs);
      await connection.query({
        name: 'insert',
        text: 'insert into bench_insert (body) values ($1)',
        values: ['x'],
      });
      latenciesMs.push(performance.now() - startedAt - dueMs);
    }
  };
  await Promise.all(connections.map(insertOn));
  await Promise.all(connections.map((connection) => connection.end()));
  await asOwner(ownerUrl, (owner) => owner.query('drop table bench_insert'));
  return latenciesMs;
}
