import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A column with values that are encrypted under the application's key. */
export interface SealedColumn {
  table: string;
  /** Primary key of the table. */
  key: string;
  keyType: 'text' | 'bigint' | 'uuid';
  column: string;
}

/** The encrypted columns of our staff, which only `hengfu_staff` may read. */
export const staffSealedColumns: readonly SealedColumn[] = [
  { table: 'staff_user', key: 'id', keyType: 'bigint', column: 'factor_secret' },
  { table: 'staff_session', key: 'id', keyType: 'uuid', column: 'pending_secret' },
  { table: 'staff_handover', key: 'id', keyType: 'bigint', column: 'sealed' },
  { table: 'staff_code_handover', key: 'user_id', keyType: 'bigint', column: 'sealed' },
];

/** All other encrypted columns. A test scans the whole database for any that are missing here. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'access_key', key: 'key_id', keyType: 'text', column: 'secret_encrypted' },
  { table: 'callback_endpoint', key: 'id', keyType: 'bigint', column: 'secret_encrypted' },
  { table: 'callback_endpoint', key: 'id', keyType: 'bigint', column: 'previous_secret_encrypted' },
  { table: 'app_user', key: 'id', keyType: 'bigint', column: 'two_factor_secret' },
  { table: 'app_user', key: 'id', keyType: 'bigint', column: 'recovery_codes' },
  { table: 'two_factor_binding', key: 'session_id', keyType: 'uuid', column: 'secret' },
  { table: 'two_factor_binding', key: 'session_id', keyType: 'uuid', column: 'recovery_codes' },
];

/** An encrypted value, with the primary key of its row as text. */
export interface SealedRow {
  key: string;
  sealed: Buffer;
}

/** Reads the next rows after a primary key, or the first rows without one. */
export async function readSealed(
  tx: Tx,
  column: SealedColumn,
  after: string | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await nextSealed(column, after, limit).execute(tx.query);
  return rows;
}

/** Locks the next rows after a primary key, or the first rows without one, until the transaction ends. */
export async function lockSealed(
  tx: Tx,
  column: SealedColumn,
  after: string | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`${nextSealed(column, after, limit)} for update`.execute(tx.query);
  return rows;
}

function nextSealed(
  { table, key, keyType, column }: SealedColumn,
  after: string | undefined,
  limit: number,
): RawBuilder<SealedRow> {
  const condition = after === undefined ? sql`` : sql`and ${sql.ref(key)} > ${after}::${sql.raw(keyType)}`;
  return sql<SealedRow>`
    select ${sql.ref(key)}::text as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null ${condition} order by ${sql.ref(key)} limit ${limit}`;
}

/** Writes back rows that the transaction has locked. */
export async function writeSealed(
  tx: Tx,
  { table, key, keyType, column }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = given.sealed
    from unnest(${rows.map((row) => row.key)}::${sql.raw(keyType)}[], ${rows.map(({ sealed }) => sealed)}::bytea[])
      as given (key, sealed)
    where t.${sql.ref(key)} = given.key`.execute(tx.query);
}
