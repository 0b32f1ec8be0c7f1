import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type {
  RequestFact,
  StaffAlert,
  StaffRequestKind,
  StaffRequestState,
} from '@hengfu/contract/staff/requests';
import { staffRequestDays } from '@hengfu/contract/staff/requests';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { Refusal } from '#domain/refusal.ts';
import type { HeldRequest, RequestOutcome } from '#domain/request-decisions.ts';
import type { AskedAction } from '#domain/staff-requests.sql.ts';

/** How many requests are listed at a time. */
const pageSize = 50;
/** The most unread alerts that are listed. */
const maxAlerts = 50;
/** Requests concern our staff, and no merchant sees them. */
const ofService = 0n;

/** A request as it is stored. */
export interface StoredRequest extends AskedAction {
  id: bigint;
  state: StaffRequestState;
  facts: RequestFact[];
  reason: string;
  /** `staff:<id>` or `operator:<name>`. */
  requestedBy: string;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  endedBy: string | null;
  endReason: string | null;
}

/** A request as it is shown. */
export interface ShownRequest extends StoredRequest {
  merchantCode: string | null;
  merchantName: string | null;
  /** Null for an operator. */
  requesterName: string | null;
  requesterEmail: string | null;
  enderName: string | null;
  enderEmail: string | null;
}

/** Makes a request. Returns its ID. Throws `request_waiting` while another one of its kind for the same subject waits. */
export async function insertRequest(
  tx: Tx,
  asked: AskedAction & Pick<StoredRequest, 'facts' | 'reason' | 'requestedBy'>,
): Promise<bigint> {
  try {
    const row = await tx.query
      .insertInto('staff_request')
      .values({
        kind: asked.kind,
        about_merchant: asked.merchantId,
        subject: asked.subject,
        change: JSON.stringify(asked.change),
        facts: JSON.stringify(asked.facts),
        reason: asked.reason,
        requested_by: asked.requestedBy,
        expires_at: sql<Date>`now() + ${staffRequestDays}::integer * interval '1 day'`,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    tx.changed(ofService, 'staffRequests');
    return row.id;
  } catch (error) {
    throw databaseFault(error)?.constraint === 'staff_request_of_subject'
      ? new Refusal('request_waiting')
      : error;
  }
}

/** Finds a request, to learn in which transaction it is decided. */
export async function findRequest(
  tx: Tx,
  id: bigint,
): Promise<Pick<StoredRequest, 'kind' | 'merchantId'> | undefined> {
  return tx.query
    .selectFrom('staff_request')
    .select(['kind', 'about_merchant as merchantId'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Locks a request until the transaction ends. */
export async function lockRequest(tx: Tx, id: bigint): Promise<(StoredRequest & HeldRequest) | undefined> {
  const row = await tx.query
    .selectFrom('staff_request')
    .selectAll()
    .select(sql<boolean>`state = 'waiting' and expires_at <= now()`.as('is_over'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && { ...toRequest(row), isOver: row.is_over };
}

/** Ends a request that the transaction has locked. */
export async function endRequest(tx: Tx, id: bigint, end: RequestOutcome): Promise<void> {
  await tx.query
    .updateTable('staff_request')
    .set({ state: end.state, ended_at: sql<Date>`now()`, ended_by: end.by, end_reason: end.reason })
    .where('id', '=', id)
    .execute();
  tx.changed(ofService, 'staffRequests');
}

/** Lists the IDs of some requests whose time is over. */
export async function listDue(tx: Tx, limit: number): Promise<bigint[]> {
  const rows = await tx.query
    .selectFrom('staff_request')
    .select('id')
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', sql<Date>`now()`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists requests in one state, newest first, those with lower IDs than `before`; or the one with an ID. */
export async function listRequests(
  tx: Tx,
  query: { state: StaffRequestState; before: bigint | undefined } | { id: bigint },
): Promise<ShownRequest[]> {
  const rows = await tx.query
    .selectFrom('staff_request as r')
    .leftJoin('staff_merchant as m', 'm.id', 'r.about_merchant')
    .leftJoin('staff_user as asker', (join) =>
      join.on(sql<boolean>`asker.id = substring(r.requested_by from '^staff:(\\d+)$')::bigint`),
    )
    .leftJoin('staff_user as ender', (join) =>
      join.on(sql<boolean>`ender.id = substring(r.ended_by from '^staff:(\\d+)$')::bigint`),
    )
    .selectAll('r')
    .select(['m.code as merchant_code', 'm.name as merchant_name'])
    .select(['asker.name as requester_name', 'asker.email as requester_email'])
    .select(['ender.name as ender_name', 'ender.email as ender_email'])
    .$if('id' in query, (q) => q.where('r.id', '=', 'id' in query ? query.id : 0n))
    .$if('state' in query, (q) => q.where('r.state', '=', 'state' in query ? query.state : 'waiting'))
    .$if('before' in query && query.before !== undefined, (q) =>
      q.where('r.id', '<', ('before' in query && query.before) || 0n),
    )
    .orderBy('r.id', 'desc')
    .limit(pageSize)
    .execute();
  return rows.map((row) => ({
    ...toRequest(row),
    merchantCode: row.merchant_code,
    merchantName: row.merchant_name,
    requesterName: row.requester_name,
    requesterEmail: row.requester_email,
    enderName: row.ender_name,
    enderEmail: row.ender_email,
  }));
}

interface RequestSqlRow {
  id: bigint;
  kind: StaffRequestKind;
  state: StaffRequestState;
  about_merchant: bigint | null;
  subject: string;
  change: unknown;
  facts: unknown;
  reason: string;
  requested_by: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
  end_reason: string | null;
}

function toRequest(row: RequestSqlRow): StoredRequest {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    merchantId: row.about_merchant,
    subject: row.subject,
    change: row.change as object,
    facts: row.facts as RequestFact[],
    reason: row.reason,
    requestedBy: row.requested_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    endedBy: row.ended_by,
    endReason: row.end_reason,
  };
}

/** Whether somebody who can sign in to the back office has one of some roles. */
export async function isAnyoneWith(tx: Tx, roles: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from staff_user where disabled_at is null and roles && ${[...roles]}::text[] limit 1`.execute(
    tx.query,
  );
  return rows.length > 0;
}

/** Reads the roles of a member of our staff; none for somebody whose account is disabled. */
export async function readActiveRoles(tx: Tx, staffId: bigint): Promise<StaffRole[]> {
  const row = await tx.query
    .selectFrom('staff_user')
    .select('roles')
    .where('id', '=', staffId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row?.roles ?? [];
}

/** Records what is done without a second person. Returns the ID of the alert. */
export async function insertAlert(
  tx: Tx,
  alert: { kind: StaffRequestKind; actor: string; subject: string; reason: string },
): Promise<bigint> {
  const { id } = await tx.query
    .insertInto('staff_alert')
    .values(alert)
    .returning('id')
    .executeTakeFirstOrThrow();
  tx.changed(ofService, 'staffRequests');
  return id;
}

/** Records that the command of an alert was refused. */
export async function insertRefusedAlert(tx: Tx, id: bigint): Promise<void> {
  await tx.query.insertInto('staff_alert_refused').values({ alert_id: id }).execute();
  tx.changed(ofService, 'staffRequests');
}

/** Lists the alerts since a person's account exists that the person has not confirmed, newest first. */
export async function listAlerts(
  tx: Tx,
  staffId: bigint,
): Promise<(Omit<StaffAlert, 'id' | 'at'> & { id: bigint; at: Date })[]> {
  const { rows } = await sql<Omit<StaffAlert, 'id' | 'at'> & { id: bigint; at: Date }>`
    select a.id, a.kind, a.actor, a.subject, a.reason, a.at,
      exists (select from staff_alert_refused r where r.alert_id = a.id) as "isRefused"
    from staff_alert a
    where a.at >= (select created_at from staff_user where id = ${staffId}::bigint)
      and not exists (select from staff_alert_seen s where s.alert_id = a.id and s.staff_id = ${staffId}::bigint)
    order by a.id desc limit ${maxAlerts}`.execute(tx.query);
  return rows;
}

/** Confirms an alert for a person; returns false if there is none with this ID. */
export async function confirmAlert(tx: Tx, id: bigint, staffId: bigint): Promise<boolean> {
  const { rows } = await sql`select from staff_alert where id = ${id}::bigint`.execute(tx.query);
  if (rows.length === 0) return false;
  await tx.query
    .insertInto('staff_alert_seen')
    .values({ alert_id: id, staff_id: staffId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}
