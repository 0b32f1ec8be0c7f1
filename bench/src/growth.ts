import { readFileSync } from 'node:fs';
import { asOwner } from '@hengfu/server/db/owner.ts';

/** How much a database grew by some work, and the work's CPU time. */
export interface Growth {
  /** Bytes of each table and its indexes; `jobs` is the queue. */
  bytes: Map<string, number>;
  /** Bytes of the unique indexes that prevent duplicate orders and postings. */
  uniqueIndexBytes: number;
  walBytes: number;
  /** CPU time of this process. */
  ownCpuMs: number;
  /** CPU time of PostgreSQL's processes; undefined where it can't be read. */
  databaseCpuMs: number | undefined;
}

interface Reading {
  bytes: Map<string, number>;
  uniqueIndexBytes: number;
  wal: bigint;
  ownCpuMs: number;
  databaseCpuMs: number | undefined;
}

const msPerTick = 10;

/** Runs the work and measures what grew by it. Its connections must already be open, and stay open. */
export async function measureGrowth(ownerUrl: string, work: () => Promise<void>): Promise<Growth> {
  const before = await read(ownerUrl);
  await work();
  const after = await read(ownerUrl);
  const bytes = [...after.bytes].map(
    ([table, size]) => [table, size - (before.bytes.get(table) ?? 0)] as const,
  );
  const isCpuKnown = before.databaseCpuMs !== undefined && after.databaseCpuMs !== undefined;
  return {
    bytes: new Map(bytes),
    uniqueIndexBytes: after.uniqueIndexBytes - before.uniqueIndexBytes,
    walBytes: Number(after.wal - before.wal),
    ownCpuMs: after.ownCpuMs - before.ownCpuMs,
    databaseCpuMs: isCpuKnown ? (after.databaseCpuMs ?? 0) - (before.databaseCpuMs ?? 0) : undefined,
  };
}

async function read(ownerUrl: string): Promise<Reading> {
  return asOwner(ownerUrl, async (client) => {
    const tables = await client.query<{ name: string; bytes: string }>(`
      select case n.nspname when 'public' then c.relname when 'month' then pg_partition_root(c.oid)::text else 'jobs' end as name,
        sum(pg_total_relation_size(c.oid)) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'month', 'graphile_worker') group by 1`);
    const facts = await client.query<{ once: string; wal: string; pids: number[] }>(`
      select pg_relation_size('collection_out_trade_no') + pg_relation_size('ledger_transfer_once') as once,
        pg_current_wal_insert_lsn() - '0/0' as wal,
        (select array_agg(pid) from pg_stat_activity where pid <> pg_backend_pid()) as pids`);
    const [fact] = facts.rows;
    const { user, system } = process.cpuUsage();
    return {
      bytes: new Map(tables.rows.map(({ name, bytes }) => [name, Number(bytes)])),
      uniqueIndexBytes: Number(fact?.once ?? 0),
      wal: BigInt(fact?.wal ?? 0),
      ownCpuMs: (user + system) / 1000,
      databaseCpuMs: cpuMsOf(fact?.pids ?? []),
    };
  });
}

/** CPU time that processes have used so far. Linux only; undefined elsewhere. */
function cpuMsOf(pids: readonly number[]): number | undefined {
  if (process.platform !== 'linux') return undefined;
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * msPerTick, 0);
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
