import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Runs statements one after the other on the running product's database, as its superuser. */
export async function sql(...statements: string[]): Promise<void> {
  await connected(async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** The movements at a channel on a day of Shanghai, as the bank sees them, in minor units. */
export async function movementsOf(
  channel: string,
  day: string,
): Promise<{ reference: string; minor: bigint }[]> {
  return connected(async (client) => {
    const { rows } = await client.query<{ reference: string; minor: string }>(
      `select reference, amount_minor as minor from staff_clearing_day($1, 'CNY',
        $2::date::timestamp at time zone 'Asia/Shanghai', ($2::date + 1)::timestamp at time zone 'Asia/Shanghai') order by reference`,
      [channel, day],
    );
    return rows.map(({ reference, minor }) => ({ reference, minor: BigInt(minor) }));
  });
}

/** Has a channel contradict the outcome of a payout of the demo merchant, once. Returns its number. */
export async function contradictedPayout(): Promise<string> {
  return connected(async (client) => {
    const { rows } = await client.query<{ number: string }>(`
      with chosen as (
        select p.merchant_id, p.id, p.trade_no from payout p join merchant m on m.id = p.merchant_id
        where m.code = 'demo' and p.status = 'processed' order by p.id limit 1
      ), added as (
        insert into payout_contradiction (merchant_id, payout_id, trade_no, source, reported, bank_reference)
        select merchant_id, id, trade_no, 'channel', 'failed', '20260131-4711' from chosen on conflict do nothing
      )
      select trade_no as number from chosen`);
    return rows[0]?.number ?? '';
  });
}

async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'postgres/connection.json');
  const { port, superuserPassword: password } = JSON.parse(await readFile(file, 'utf8'));
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'hengfu' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` while a table of the product is renamed, so that whatever needs it fails inside the server. */
export async function withoutTable(table: string, work: () => Promise<void>): Promise<void> {
  await sql(`alter table ${table} rename to ${table}_away`);
  try {
    await work();
  } finally {
    await sql(`alter table ${table}_away rename to ${table}`);
  }
}

const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = 'hengfu' and pid <> pg_backend_pid()`;

/** Runs `work` while the product cannot connect to the database. */
export async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  await sql('alter database hengfu connection limit 0', endConnections);
  try {
    await work();
  } finally {
    await sql('alter database hengfu connection limit -1');
  }
}
