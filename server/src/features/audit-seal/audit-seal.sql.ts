import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Root, RootContent, Seal } from './root.rules.ts';
import type { HashedRow, SealedBatch } from './row-check.rules.ts';

/**
 * The SHA-256 of all values of an audit row; its alias is `a`. Seconds since 1970 also tell years before Christ and infinity apart, and
 * the text of a JSON value tells its null from a missing value.
 */
const rowHash = sql`sha256(convert_to(jsonb_build_array(a.merchant_id, a.id, extract(epoch from a.at)::text,
  a.actor, a.action, a.subject, a.address::text, a.request_id, a.before::text, a.after::text, to_jsonb(a.roles), a.user_agent)::text, 'UTF8'))`;

/** Reads the highest ID that an audit row may have by now; 0 before the first one. */
export async function readLastId(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ id: bigint | null }>`
    select pg_sequence_last_value('audit_id_seq'::regclass) as id`.execute(tx.prepared);
  return rows[0]?.id ?? 0n;
}

/**
 * Lists the transactions that have begun to write audit rows and have not ended. Each holds this lock from before it takes the
 * first ID until its end.
 */
export async function listWriters(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'audit'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(tx.prepared);
  return rows.map(({ writer }) => writer);
}

/** A root as PostgreSQL returns it. Whoever owns the database may have set its time to infinity. */
type RootRow = Omit<Root, 'sealedAt'> & { sealedMs: number };

const rootColumns = sql`number, previous_number as "previousNumber", from_id as "fromId", to_id as "toId",
  (extract(epoch from sealed_at) * 1000)::double precision as "sealedMs", sha256, mac`;

const toRoot = ({ sealedMs, ...root }: RootRow): Root => ({ ...root, sealedAt: new Date(sealedMs) });

/** Reads the newest root. */
export async function readLastRoot(tx: Tx): Promise<Root | undefined> {
  const { rows } =
    await sql<RootRow>`select ${rootColumns} from audit_root order by number desc limit 1`.execute(
      tx.prepared,
    );
  return rows.map(toRoot)[0];
}

/** Reads one root. */
export async function readRoot(tx: Tx, number: bigint): Promise<Root | undefined> {
  const { rows } = await sql<RootRow>`select ${rootColumns} from audit_root where number = ${number}`.execute(
    tx.prepared,
  );
  return rows.map(toRoot)[0];
}

/** Reads the roots after one, up to another, in their order. */
export async function listRoots(
  tx: Tx,
  { after, upTo, limit }: { after: bigint; upTo: bigint; limit: number },
): Promise<Root[]> {
  const { rows } = await sql<RootRow>`
    select ${rootColumns} from audit_root where number > ${after} and number <= ${upTo} order by number limit ${limit}`.execute(
    tx.query,
  );
  return rows.map(toRoot);
}

/** A seal as it is stored, with the numbers of its root. */
export interface StoredSeal extends Seal, Pick<Root, 'fromId' | 'toId'> {
  rootNumber: bigint;
}

/** Reads the seals of a range of roots, in the order of roots and merchants. */
export async function listSeals(tx: Tx, from: bigint, to: bigint): Promise<StoredSeal[]> {
  const { rows } = await sql<StoredSeal>`
    select root_number as "rootNumber", from_id as "fromId", to_id as "toId", merchant_id as "merchantId", row_count as rows, sha256
    from audit_seal
    where root_number between ${from} and ${to} order by root_number, merchant_id`.execute(tx.query);
  return rows;
}

/** Lists the numbers after one that seals give as those of their roots. */
export async function listSealedNumbers(tx: Tx, after: bigint): Promise<bigint[]> {
  const { rows } = await sql<{ number: bigint }>`
    select distinct root_number as number from audit_seal where root_number > ${after} order by 1`.execute(
    tx.query,
  );
  return rows.map(({ number }) => number);
}

/** Reads a merchant's sealed batches after one root, up to another, in their order. */
export async function listBatches(
  tx: Tx,
  merchantId: bigint,
  { after, upTo, limit }: { after: bigint; upTo: bigint; limit: number },
): Promise<SealedBatch[]> {
  const { rows } = await sql<SealedBatch>`
    select root_number as "rootNumber", from_id as "fromId", to_id as "toId", row_count as rows, sha256 from audit_seal
    where merchant_id = ${merchantId} and root_number > ${after} and root_number <= ${upTo}
    order by root_number limit ${limit}`.execute(tx.query);
  return rows;
}

/**
 * Reads the ID below the first row of the table, from which sealing begins. The sequence gives no ID below 1. Reads the whole
 * table.
 */
export async function readFirstId(tx: Tx): Promise<bigint> {
  await tx.disableTimeouts();
  const { rows } = await sql<{ id: bigint | null }>`select min(id) - 1 as id from audit where id > 0`.execute(
    tx.query,
  );
  return rows[0]?.id ?? 0n;
}

/** Reads the first ID of a row above another ID. */
export async function readNextId(tx: Tx, after: bigint): Promise<bigint | undefined> {
  const { rows } = await sql<{
    id: bigint | null;
  }>`select min(id) as id from audit where id > ${after}`.execute(tx.query);
  return rows[0]?.id ?? undefined;
}

/** Sums up the rows of a range of IDs, for each merchant that has any. */
export async function sumRows(
  tx: Tx,
  { fromId, toId }: Pick<RootContent, 'fromId' | 'toId'>,
): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select a.merchant_id as "merchantId", count(*)::integer as rows, sha256(string_agg(${rowHash}, '' order by a.id)) as sha256
    from audit a where a.id > ${fromId} and a.id <= ${toId} group by 1 order by 1`.execute(tx.query);
  return rows;
}

/** Records a root with its seals. */
export async function insertRoot(tx: Tx, root: Root, seals: readonly Seal[]): Promise<void> {
  await sql`
    insert into audit_root (number, previous_number, from_id, to_id, sealed_at, sha256, mac)
    values (${root.number}, ${root.previousNumber}, ${root.fromId}, ${root.toId}, ${root.sealedAt}, ${root.sha256}, ${root.mac})`.execute(
    tx.prepared,
  );
  await sql`
    insert into audit_seal (merchant_id, root_number, from_id, to_id, row_count, sha256)
    select merchant_id, ${root.number}, ${root.fromId}, ${root.toId}, row_count, decode(sha256, 'hex')
    from unnest(${seals.map(({ merchantId }) => String(merchantId))}::bigint[], ${seals.map(({ rows }) => rows)}::integer[],
      ${seals.map(({ sha256 }) => sha256.toString('hex'))}::text[]) as seal (merchant_id, row_count, sha256)`.execute(
    tx.prepared,
  );
}

/**
 * Lists the merchants that may have audit rows, and 0 for the service: also those that only the rows name, in the table or the
 * archive. Reads the whole table.
 */
export async function listHolders(tx: Tx): Promise<bigint[]> {
  await tx.disableTimeouts();
  const { rows } = await sql<{ id: bigint }>`
    select 0::bigint as id union select id from merchant union select merchant_id from audit_seal
    union select merchant_id from archived_part where table_name = 'audit' union select merchant_id from audit order by 1`.execute(
    tx.query,
  );
  return rows.map(({ id }) => id);
}

/** Reads a merchant's rows of the table from one ID on, up to another, in their order; more than the limit if several rows have the last ID. */
export async function hashRows(
  tx: Tx,
  merchantId: bigint,
  { from, toId, limit }: { from: bigint; toId: bigint; limit: number },
): Promise<HashedRow[]> {
  const { rows } = await sql<HashedRow>`
    select a.id, ${rowHash} as sha256 from audit a
    where a.merchant_id = ${merchantId} and a.id >= ${from} and a.id <= ${toId}
    order by a.id fetch first ${sql.lit(limit)} rows with ties`.execute(tx.query);
  return rows;
}

/** Hashes archived rows, from the lines of their file, and names the month of each, as `2026-01`. */
export async function hashLines(
  tx: Tx,
  lines: readonly string[],
): Promise<(HashedRow & { month: string })[]> {
  const rows: RawBuilder<unknown> = sql`json_populate_recordset(null::audit, ${`[${lines.join(',')}]`}::json)`;
  const found = await sql<HashedRow & { month: string }>`
    select a.id, ${rowHash} as sha256, coalesce(to_char(a.at at time zone 'UTC', 'YYYY-MM'), '') as month from ${rows} a`.execute(
    tx.query,
  );
  return found.rows;
}

/** The rows that no root covers yet. */
export interface UnsealedRows {
  rows: number;
  /** When the oldest was written, in seconds since 1970; null if there is none. */
  oldestAt: number | null;
  /** The highest of their IDs; null if there is none. */
  lastId: bigint | null;
}

/** Sums up the rows above an ID. */
export async function readUnsealed(tx: Tx, toId: bigint): Promise<UnsealedRows> {
  // Nobody knows for how long nothing was sealed.
  await tx.disableTimeouts();
  const { rows } = await sql<UnsealedRows>`
    select count(*)::integer as rows, extract(epoch from min(at))::double precision as "oldestAt", max(id) as "lastId"
    from audit where id > ${toId}`.execute(tx.query);
  return rows[0] ?? { rows: 0, oldestAt: null, lastId: null };
}
