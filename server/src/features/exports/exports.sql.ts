import { type ExportQuery, type ExportStatus, maxConcurrentExports } from '@hengfu/contract/exports';
import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import type { Home } from '#domain/caller.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { each, type ListSource } from '#domain/list-source.sql.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { holdCount } from '#domain/quota.sql.ts';

export type ExportTask = Selectable<Schema['export_task']>;
export type NewExport = Pick<
  ExportTask,
  'list' | 'columns' | 'format' | 'language' | 'zone' | 'file_name' | 'created_by'
> & { filters: Record<string, string>; schedule_name?: string };

export async function insertExport(tx: MerchantTx, exportNo: string, given: NewExport): Promise<ExportTask> {
  return tx.query
    .insertInto('export_task')
    .values({
      ...given,
      merchant_id: tx.merchantId,
      export_no: exportNo,
      filters: JSON.stringify(given.filters),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Finds an export of the transaction's merchant; `isHeld` locks it until the transaction ends. */
export async function findExport(
  tx: MerchantTx,
  exportNo: string,
  { isHeld = false } = {},
): Promise<ExportTask | undefined> {
  const query = tx.query
    .selectFrom('export_task')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .where('export_no', '=', exportNo);
  return (isHeld ? query.forUpdate() : query).executeTakeFirst();
}

/** Builds the source of the list of exports: all, or those of certain lists. */
export function exportSource(
  tx: MerchantTx,
  query: Omit<ExportQuery, 'limit' | 'cursor'>,
  lists?: readonly ExportTask['list'][],
): ListSource {
  return {
    columns: sql`e.*`,
    from: sql`export_task e`,
    orderedBy: sql`e.created_at`,
    id: sql`e.id`,
    either: each(sql`e.status`, query.status),
    where: [
      sql`e.merchant_id = ${tx.merchantId}`,
      ...(lists ? [sql`e.list = any (${[...lists]}::text[])`] : []),
    ],
  };
}

/** Reads a page of the merchant's exports: all, or those of certain lists. */
export function listExports(
  tx: MerchantTx,
  query: ExportQuery,
  lists: readonly ExportTask['list'][] | undefined,
): Promise<Page<ExportTask>> {
  return readPage<ExportTask>(tx, exportSource(tx, query, lists), query);
}

/** Moves an export that the transaction has locked. Returns undefined if its status has changed. */
export async function moveExport(
  tx: MerchantTx,
  { id, status }: ExportTask,
  to: ExportStatus,
  change: Partial<Pick<ExportTask, 'reason' | 'file_key' | 'bytes' | 'sha256' | 'awaits_notice'>> & {
    sums?: string;
  } = {},
): Promise<ExportTask | undefined> {
  const isEnd = to === 'successful' || to === 'failed';
  return tx.query
    .updateTable('export_task')
    .set({
      status: to,
      ...(to === 'waiting' && { reason: null, written_rows: 0n, alive_at: null, awaits_notice: false }),
      ...(to === 'exporting' && {
        attempt: sql<number>`attempt + 1`,
        alive_at: sql<Date>`now()`,
        written_rows: 0n,
      }),
      finished_at: isEnd ? sql<Date>`now()` : null,
      ...(to === 'successful' && { expires_at: sql<Date>`now() + interval '7 days'` }),
      ...change,
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .where('status', '=', status)
    .returningAll()
    .executeTakeFirst();
}

/** Ends an export that the transaction has locked. Its creator is still to be notified. */
export async function endExport(
  tx: MerchantTx,
  task: ExportTask,
  to: 'successful' | 'failed',
  change: Parameters<typeof moveExport>[3] & { reason?: 'fault' | 'lost' },
): Promise<void> {
  await moveExport(tx, task, to, { ...change, awaits_notice: true });
}

/** Counts a creator's exports: the unfinished ones, and for how long the first finished one awaits a notice. */
export async function readProgress(
  tx: MerchantTx,
  createdBy: string,
): Promise<{ unfinished: number; waitingSeconds: number | null }> {
  const { rows } = await sql<{ waitingSeconds: number | null }>`
    select extract(epoch from now() - min(finished_at))::integer as "waitingSeconds" from export_task
    where merchant_id = ${tx.merchantId} and created_by = ${createdBy} and awaits_notice`.execute(tx.query);
  const waitingSeconds = rows[0]?.waitingSeconds ?? null;
  return { unfinished: await countUnfinished(tx, createdBy), waitingSeconds };
}

/** Writes one notice about a creator's finished exports that await one; nothing if there are none. */
export async function noticeFinished(tx: MerchantTx, userId: bigint): Promise<void> {
  const { merchantId } = tx;
  const { rows } = await sql<Pick<ExportTask, 'export_no' | 'list' | 'status' | 'reason'>>`
    update export_task set awaits_notice = false
    where merchant_id = ${merchantId} and created_by = ${`user:${userId}`} and awaits_notice
    returning export_no, list, status, reason`.execute(tx.query);
  const [first] = rows;
  if (!first) return;
  if (rows.length > 1) {
    const failed = rows.filter(({ status }) => status === 'failed').length;
    const facts = { ready: rows.length - failed, failed };
    return writeNotice(tx, { merchantId, userId, kind: 'exportsFinished', facts });
  }
  const { export_no: subject, list, status, reason } = first;
  await writeNotice(tx, {
    merchantId,
    userId,
    subject,
    kind: status === 'failed' ? 'exportFailed' : 'exportSuccessful',
    facts: { list, ...(reason && { reason }) },
  });
}

/** Counts the merchant's waiting and running exports, optionally of one creator only. */
export async function countUnfinished(tx: MerchantTx, createdBy?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from export_task
    where merchant_id = ${tx.merchantId} and status in ('waiting', 'exporting')
      and (${createdBy ?? null}::text is null or created_by = ${createdBy ?? null})`.execute(tx.query);
  return rows[0]?.count ?? 0;
}

/** Counts the merchant's running exports. No other one can start until the transaction ends. */
export async function countRunning(tx: MerchantTx): Promise<number> {
  await holdCount(tx, `exports running ${tx.merchantId}`);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from export_task
      where merchant_id = ${tx.merchantId} and status = 'exporting' limit ${maxConcurrentExports + 1}) running`.execute(
    tx.query,
  );
  return rows[0]?.count ?? 0;
}

/** Records an attempt's heartbeat and progress. Returns false if it was canceled or given up. */
export async function recordProgress(
  tx: MerchantTx,
  { id, attempt }: ExportTask,
  rowCount: number,
): Promise<boolean> {
  const { rows } = await sql`
    update export_task set alive_at = now(), written_rows = ${rowCount}
    where merchant_id = ${tx.merchantId} and id = ${id} and attempt = ${attempt} and status = 'exporting'
    returning 1`.execute(tx.query);
  return rows.length > 0;
}

/** Finds exports whose worker has sent no heartbeat for the given seconds. */
export function findStalled(tx: Tx, seconds: number) {
  return tx.query
    .selectFrom('export_task')
    .select(['merchant_id', 'export_no', 'attempt'])
    .where('status', '=', 'exporting')
    .where('alive_at', '<', sql<Date>`now() - ${seconds} * interval '1 second'`)
    .execute();
}

/** Finds expired files. */
export async function findExpired(tx: Tx, limit: number) {
  return tx.query
    .selectFrom('export_task')
    .select(['merchant_id', 'id', 'file_key'])
    .where('file_key', 'is not', null)
    .where('expires_at', '<', sql<Date>`now()`)
    .limit(limit)
    .execute();
}

/** Records that a file was deleted. */
export async function clearFile(tx: Tx, merchantId: bigint, id: bigint): Promise<void> {
  await tx.query
    .updateTable('export_task')
    .set({ file_key: null })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/** Reads the names of the merchant's users, by creator (`user:<id>`). */
export async function readNames(tx: MerchantTx): Promise<Map<string, string>> {
  const users = await tx.query
    .selectFrom('membership as p')
    .innerJoin('app_user as u', 'u.id', 'p.user_id')
    .select(['u.id', 'u.name'])
    .where('p.merchant_id', '=', tx.merchantId)
    .execute();
  return new Map(users.map(({ id, name }) => [`user:${id}`, name]));
}

/** Reads the merchant whose lists are exported. */
export async function readHome(tx: MerchantTx): Promise<Home> {
  const row = await tx.query
    .selectFrom('merchant')
    .select(['id', 'code', 'name', 'home_currency', 'zone'])
    .where('id', '=', tx.merchantId)
    .executeTakeFirstOrThrow();
  const { id: merchantId, code, name, home_currency: currency, zone } = row;
  return { merchantId, code, name, currency, zone };
}

/** Reads whether the merchant is a live one or a test merchant. */
export async function readMode(tx: MerchantTx): Promise<MerchantMode> {
  const { mode } = await tx.query
    .selectFrom('merchant')
    .select('mode')
    .where('id', '=', tx.merchantId)
    .executeTakeFirstOrThrow();
  return mode;
}
