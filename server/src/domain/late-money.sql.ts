import type { LateReturn } from '@hengfu/contract/cashier';
import { type RawBuilder, sql } from 'kysely';

/** Refunds that never reach their channel are made anew this often, an hour after each: a channel is seldom away for longer. */
export const maxLateReturns = 24;

/**
 * The return of a payment beyond the uses of its payment link, in SQL. Null for all other orders, and once the money has gone back in full. It has
 * failed if the channel, or a person, has ended a refund otherwise than by not reaching the channel, or if it never reached it too often.
 * @param c alias of the collection
 */
export const lateReturnOf = (c: string): RawBuilder<LateReturn | null> => {
  const column = (name: string) => sql.ref(`${c}.${name}`);
  return sql`case when ${column('holds_link_use')} is false and ${column('paid_at')} is not null
      and ${column('refunded_minor')} < ${column('amount_minor')} then (
    select case when count(*) = 0 or bool_or(r.status in ('requested', 'processing')) then 'inProgress'
      when count(*) >= ${sql.lit(maxLateReturns)}::integer
        or bool_or(r.requested_by <> 'service' or r.failure_code is distinct from 'neverArrived') then 'failed'
      else 'inProgress' end
    from refund r where r.merchant_id = ${column('merchant_id')} and r.collection_id = ${column('id')}) end`;
};
