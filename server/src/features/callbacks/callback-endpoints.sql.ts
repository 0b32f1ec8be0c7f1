import { type EndpointState, maxCountedWaiting } from '@hengfu/contract/callback-endpoints';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { type CheckColumns, checkColumns, type StoredCheck, toStoredCheck } from './callback-checks.sql.ts';

/** An endpoint as its merchant sees it, with its last check. */
export interface Endpoint {
  id: bigint;
  url: string;
  description: string | null;
  events: string[] | null;
  state: EndpointState;
  failingSince: Date | null;
  /** Messages that are held for it, counted up to a limit. */
  waiting: number;
  previousEndsAt: Date | null;
  createdAt: Date;
  check: StoredCheck | null;
}

/** The settings of an endpoint that its merchant chooses. */
export interface EndpointFields {
  url: string;
  description: string | null;
  events: string[] | null;
}

interface EndpointRow extends CheckColumns {
  id: bigint;
  url: string;
  description: string | null;
  events: string[] | null;
  state: EndpointState;
  failing_since: Date | null;
  waiting: number;
  previous_ends_at: Date | null;
  created_at: Date;
}

/** Lists the merchant's endpoints, oldest first; only one of them with `id`. */
export async function listEndpoints(tx: MerchantTx, id?: bigint): Promise<Endpoint[]> {
  const { rows } = await sql<EndpointRow>`
    select e.id, e.url, e.description, e.events, e.state, e.failing_since, e.created_at,
      case when e.previous_ends_at > now() then e.previous_ends_at end as previous_ends_at,
      (select count(*) from (
        select from callback_held h where h.merchant_id = e.merchant_id and h.endpoint_id = e.id limit ${maxCountedWaiting}) held
      )::integer as waiting,
      ${checkColumns}
    from callback_endpoint e left join callback_check c on c.merchant_id = e.merchant_id and c.endpoint_id = e.id
    where e.merchant_id = ${tx.merchantId} and e.state <> 'removed' ${id === undefined ? sql`` : sql`and e.id = ${id}`}
    order by e.id`.execute(tx.query);
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    state: row.state,
    failingSince: row.failing_since,
    waiting: row.waiting,
    previousEndsAt: row.previous_ends_at,
    createdAt: row.created_at,
    check: toStoredCheck(row),
  }));
}

/** An endpoint that the transaction has locked. */
export interface LockedEndpoint extends EndpointFields {
  id: bigint;
  state: EndpointState;
  secret: Buffer;
}

/** Locks an endpoint until the transaction ends; undefined if the merchant has no such endpoint. */
export async function lockEndpoint(tx: MerchantTx, id: bigint): Promise<LockedEndpoint | undefined> {
  const row = await tx.query
    .selectFrom('callback_endpoint')
    .select(['id', 'url', 'description', 'events', 'state', 'secret_encrypted'])
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.state === 'removed' || row.secret_encrypted === null) return undefined;
  const { secret_encrypted: secret, state, ...rest } = row;
  return { ...rest, state, secret };
}

export async function countEndpoints(tx: MerchantTx): Promise<number> {
  const { count } = await tx.query
    .selectFrom('callback_endpoint')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('merchant_id', '=', tx.merchantId)
    .where('state', '<>', 'removed')
    .executeTakeFirstOrThrow();
  return Number(count);
}

function toColumns({ url, description, events }: EndpointFields) {
  const { origin, hostname } = new URL(url);
  return { url, origin, host: hostname, description, events };
}

/** Inserts an endpoint, which is on. Returns its ID. */
export async function insertEndpoint(
  tx: MerchantTx,
  fields: EndpointFields,
  { secret, createdBy }: { secret: Buffer; createdBy: string },
): Promise<bigint> {
  const { id } = await tx.query
    .insertInto('callback_endpoint')
    .values({
      ...toColumns(fields),
      merchant_id: tx.merchantId,
      secret_encrypted: secret,
      created_by: createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes an endpoint that the transaction has locked. A new address starts without failures, and unchecked. */
export async function updateEndpoint(
  tx: MerchantTx,
  before: LockedEndpoint,
  fields: EndpointFields,
): Promise<void> {
  await tx.query
    .updateTable('callback_endpoint')
    .set({ ...toColumns(fields), ...(fields.url !== before.url && { failing_since: null }) })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', before.id)
    .execute();
  if (fields.url !== before.url)
    await tx.query
      .deleteFrom('callback_check')
      .where('merchant_id', '=', tx.merchantId)
      .where('endpoint_id', '=', before.id)
      .execute();
}

/** Changes the state of an endpoint that the transaction has locked. One that is turned on starts without failures. */
export async function setState(tx: MerchantTx, id: bigint, state: EndpointState): Promise<void> {
  await tx.query
    .updateTable('callback_endpoint')
    .set({ state, ...(state === 'on' && { failing_since: null }) })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .execute();
}

/**
 * Replaces the secret of an endpoint that the transaction has locked; the present one signs beside it for some hours. Without hours, every
 * earlier secret ends at once. Returns false, and changes nothing, if the present one would displace a previous one that still signs.
 */
export async function replaceSecret(
  tx: MerchantTx,
  { id, secret: previous }: LockedEndpoint,
  { secret, overlapHours }: { secret: Buffer; overlapHours: number },
): Promise<boolean> {
  const isKept = overlapHours > 0;
  const { numUpdatedRows } = await tx.query
    .updateTable('callback_endpoint')
    .set({
      secret_encrypted: secret,
      previous_secret_encrypted: isKept ? previous : null,
      previous_ends_at: isKept ? sql<Date>`now() + ${overlapHours}::integer * interval '1 hour'` : null,
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .$if(isKept, (query) => query.where(sql<boolean>`coalesce(previous_ends_at <= now(), true)`))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Messages that one call gives up. */
const skippedAtOnce = 10_000;

/** Gives up the messages that wait for an endpoint, oldest first. Returns how many. */
export async function skipHeld(tx: MerchantTx, endpointId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with taken as (
      delete from callback_held h using (
        select message_id from callback_held where merchant_id = ${tx.merchantId} and endpoint_id = ${endpointId}
        order by held_at limit ${skippedAtOnce}) oldest
      where h.merchant_id = ${tx.merchantId} and h.message_id = oldest.message_id
      returning h.message_id
    ), skipped as (
      update callback_message m set given_up_at = now(), is_skipped = true from taken
      where m.merchant_id = ${tx.merchantId} and m.id = taken.message_id and m.delivered_at is null and m.given_up_at is null
      returning m.id
    )
    select count(*)::integer as count from skipped`.execute(tx.query);
  return rows[0]?.count ?? 0;
}

/** Removes an endpoint that the transaction has locked, with its secrets. Its row stays, because messages refer to it. */
export async function removeEndpoint(tx: MerchantTx, id: bigint): Promise<void> {
  await tx.query
    .updateTable('callback_endpoint')
    .set({
      state: 'removed',
      secret_encrypted: null,
      previous_secret_encrypted: null,
      previous_ends_at: null,
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .execute();
}
