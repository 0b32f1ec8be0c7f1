import { failingDays } from '@hengfu/contract/callback-endpoints';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** The endpoint of a message, as its delivery needs it. */
export interface MessageEndpoint {
  id: bigint;
  state: string;
  /** Encrypted: the secret, and the previous one until it ends. */
  secrets: Buffer[];
  isFailing: boolean;
}

interface EndpointColumns {
  endpoint_id: bigint | null;
  state: string | null;
  secret_encrypted: Buffer | null;
  previous_secret: Buffer | null;
  failing_since: Date | null;
}

/** Returns the endpoint of a message's row; undefined for the callback URL of an order. */
export function toMessageEndpoint(row: EndpointColumns): MessageEndpoint | undefined {
  if (row.endpoint_id === null) return undefined;
  return {
    id: row.endpoint_id,
    state: row.state ?? 'removed',
    secrets: [row.secret_encrypted, row.previous_secret].filter((secret) => secret !== null),
    isFailing: row.failing_since !== null,
  };
}

/** Holds a message until its endpoint is on again. Does nothing if it is done. */
export async function holdMessage(tx: MerchantTx, { id }: { id: string }): Promise<void> {
  await sql`
    insert into callback_held (merchant_id, message_id, endpoint_id)
    select merchant_id, id, endpoint_id from callback_message
    where merchant_id = ${tx.merchantId} and id = ${id} and delivered_at is null and given_up_at is null
    on conflict do nothing`.execute(tx.prepared);
}

/** Gives up a message whose endpoint was removed. */
export async function skipMessage(tx: MerchantTx, { id }: { id: string }): Promise<void> {
  await tx.prepared
    .updateTable('callback_message')
    .set({ given_up_at: sql<Date>`now()`, is_skipped: true })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .where('given_up_at', 'is', null)
    .execute();
}

/** Records that an endpoint has acknowledged a message after it had failed. */
export async function noteEndpointSuccess(tx: MerchantTx, id: bigint): Promise<void> {
  await tx.prepared
    .updateTable('callback_endpoint')
    .set({ failing_since: null })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .execute();
}

/**
 * Records that an endpoint did not acknowledge a message, and pauses it if it has failed for days without a success. Returns its address
 * if this call has paused it. Most failures change no row.
 */
export async function noteEndpointFailure(
  tx: MerchantTx,
  { id, isFailing }: MessageEndpoint,
): Promise<string | undefined> {
  if (!isFailing) {
    await tx.prepared
      .updateTable('callback_endpoint')
      .set({ failing_since: sql<Date>`now()` })
      .where('merchant_id', '=', tx.merchantId)
      .where('id', '=', id)
      .where('failing_since', 'is', null)
      .execute();
    return undefined;
  }
  const { rows } = await sql<{ url: string }>`
    update callback_endpoint set state = 'autoPaused'
    where merchant_id = ${tx.merchantId} and id = ${id} and state = 'on'
      and failing_since < now() - ${failingDays}::integer * interval '1 day'
    returning url`.execute(tx.prepared);
  return rows[0]?.url;
}

/** Whether an endpoint's messages are sent now. */
export async function isEndpointOn(tx: MerchantTx, id: bigint): Promise<boolean> {
  const row = await tx.prepared
    .selectFrom('callback_endpoint')
    .select('state')
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state === 'on';
}

/** A message that was held. */
export interface ReleasedMessage {
  id: string;
  url: string;
  subjectNo: string;
}

/** Releases the oldest messages that wait for an endpoint, if it is on. Returns those that are still to be sent. */
export async function releaseMessages(
  tx: MerchantTx,
  endpointId: bigint,
  limit: number,
): Promise<{ isMore: boolean; isRemoved: boolean; released: ReleasedMessage[] }> {
  const { rows } = await sql<{
    taken: number;
    state: string;
    id: string | null;
    url: string;
    subjectNo: string;
  }>`
    with oldest as materialized (
      select c.merchant_id, c.message_id from callback_held c
      where c.merchant_id = ${tx.merchantId} and c.endpoint_id = ${endpointId} and exists (
        select from callback_endpoint e where e.merchant_id = c.merchant_id and e.id = c.endpoint_id and e.state = 'on')
      order by c.held_at limit ${limit} for update of c skip locked
    ), taken as (
      delete from callback_held h using oldest
      where h.merchant_id = oldest.merchant_id and h.message_id = oldest.message_id
      returning h.message_id
    ), released as (
      update callback_message m set retried_from = now(), attempts_before = m.attempts from taken
      where m.merchant_id = ${tx.merchantId} and m.id = taken.message_id and m.delivered_at is null and m.given_up_at is null
      returning m.id, m.url, m.subject_no
    )
    select e.state, (select count(*) from taken)::integer as taken, r.id, r.url, r.subject_no as "subjectNo"
    from callback_endpoint e left join released r on true
    where e.merchant_id = ${tx.merchantId} and e.id = ${endpointId}`.execute(tx.prepared);
  return {
    isMore: rows[0]?.taken === limit,
    isRemoved: rows[0]?.state === 'removed',
    released: rows.flatMap(({ id, url, subjectNo }) => (id === null ? [] : [{ id, url, subjectNo }])),
  };
}

/**
 * Lists endpoints for which messages are held although they are on, or were removed: a message was held at the moment of that change, or the
 * release was interrupted.
 */
export async function listUnreleased(tx: Tx): Promise<{ merchantId: bigint; endpointId: bigint }[]> {
  const { rows } = await sql<{ merchantId: bigint; endpointId: bigint }>`
    select e.merchant_id as "merchantId", e.id as "endpointId" from callback_endpoint e
    where e.state in ('on', 'removed') and exists (
      select from callback_held h where h.merchant_id = e.merchant_id and h.endpoint_id = e.id)`.execute(
    tx.query,
  );
  return rows;
}

/** Deletes previous secrets that have ended. */
export async function deleteEndedSecrets(tx: Tx): Promise<void> {
  await tx.query
    .updateTable('callback_endpoint')
    .set({ previous_secret_encrypted: null, previous_ends_at: null })
    .where('previous_ends_at', '<', sql<Date>`now()`)
    .execute();
}
