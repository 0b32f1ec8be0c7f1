import { maxWaiting, type WaitingKind, waitingDays } from '@hengfu/contract/dashboard';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Something that waits for the merchant, as rows that an index finds; a new kind is an entry here. */
interface WaitingSource {
  /** Rows with `since` and `until` at hand, and a `subject` that the console can open. */
  rows: (tx: MerchantTx) => RawBuilder<unknown>;
}

/** A callback is tried within seconds, so an order paid just now waits for nobody. */
const callbackGraceMinutes = 2;

const sources: Readonly<Record<WaitingKind, WaitingSource>> = {
  batchRows: {
    rows: (tx) => sql`
      select batch_no as subject from payout_batch
      where merchant_id = ${tx.merchantId} and created_at >= since and created_at < until and failed_count > 0`,
  },
  callbacks: {
    // A paid order whose callback is acknowledged, or that has none, is a success.
    rows: (tx) => sql`
      select null as subject from unnest(array['unsettled', 'pendingSettlement', 'settled']) state
      cross join lateral (
        select from collection
        where merchant_id = ${tx.merchantId} and status = 'paid' and settlement_status = state and paid_at >= since
          and paid_at < until - ${callbackGraceMinutes}::integer * interval '1 minute'
        limit ${maxWaiting}::bigint) unacknowledged`,
  },
  rejectedPayouts: {
    rows: (tx) => sql`
      select null as subject from payout
      where merchant_id = ${tx.merchantId} and status = 'rejected' and created_at >= since and created_at < until`,
  },
  failedExports: {
    rows: (tx) => sql`
      select null as subject from export_task
      where merchant_id = ${tx.merchantId} and status = 'failed' and created_at >= since and created_at < until`,
  },
};

export interface WaitingRow {
  kind: WaitingKind;
  count: number;
  from: Date;
  to: Date;
  subject: string | null;
}

/** Counts what waits for a merchant, up to the contract's limit for each kind; omits kinds of which there are none. */
export async function readWaiting(tx: MerchantTx, kinds: readonly WaitingKind[]): Promise<WaitingRow[]> {
  if (kinds.length === 0) return [];
  const counts = kinds.map(
    (kind) => sql`
      select ${sql.lit(kind)} as kind, count(*)::integer as count, since as "from", ${untilOf(kind)} as "to",
        case when count(*) = 1 then min(subject) end as subject
      from span cross join lateral (
        select subject from (${sources[kind].rows(tx)}) found limit ${maxWaiting}::bigint) counted
      group by since, until`,
  );
  const { rows } = await sql<WaitingRow>`
    with span as materialized (
      select date_trunc('milliseconds', now()) - ${waitingDays}::integer * interval '1 day' as since,
        date_trunc('milliseconds', now()) as until)
    select * from (${sql.join(counts, sql` union all `)}) lines where count > 0`.execute(tx.prepared);
  return rows;
}

/** The end of the span in which a kind's rows lie. */
function untilOf(kind: WaitingKind): RawBuilder<unknown> {
  return kind === 'callbacks'
    ? sql`until - ${callbackGraceMinutes}::integer * interval '1 minute'`
    : sql`until`;
}
