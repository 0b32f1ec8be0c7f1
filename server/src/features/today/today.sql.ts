import type { Currency } from '@hengfu/contract/money';
import {
  type ChannelHour,
  channelHours,
  type MoneyPlace,
  type WaitingKind,
} from '@hengfu/contract/staff/today';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** How many of the oldest things that wait are listed. */
const maxListed = 100;

/** One thing that waits for our staff. */
export interface WaitingThing {
  kind: WaitingKind;
  number: string;
  merchant: string | null;
  amountMinor: bigint | null;
  currency: Currency | null;
  since: Date;
}

/** Lists the oldest things that wait, oldest first. */
export async function listWaiting(tx: Tx): Promise<WaitingThing[]> {
  // Each branch has its own limit, so that an index finds the oldest of a long queue.
  const { rows } = await sql<WaitingThing>`
    select * from (
      (select case status when 'approved' then 'topupCredit' else 'topupReview' end as kind, trade_no as number,
        merchant_code as merchant, usdt_minor as "amountMinor", 'USDT' as currency, created_at as since
      from staff_topup where status in ('pendingReview', 'approved') order by created_at limit ${maxListed})
      union all
      (select case status when 'approved' then 'withdrawalPayment' else 'withdrawalReview' end, trade_no,
        merchant_code, usdt_minor, 'USDT', created_at
      from staff_withdrawal
      where status in ('pendingReview', 'approved') and (approval_state is null or approval_state = 'approved')
      order by created_at limit ${maxListed})
      union all
      (select kind, number, merchant_code, amount_minor, currency, since
      from staff_waiting_elsewhere order by since limit ${maxListed})) waiting
    order by since limit ${maxListed}`.execute(tx.query);
  return rows;
}

/** Counts what waits, by kind. */
export async function countWaitingThings(tx: Tx): Promise<Map<WaitingKind, number>> {
  const { rows } = await sql<{ kind: WaitingKind; count: number }>`
    select kind, count from staff_waiting_count`.execute(tx.query);
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** The money of all live merchants at one place, in minor units. */
export interface MoneyAt {
  kind: MoneyPlace['kind'];
  reference: string;
  currency: Currency;
  balanceMinor: bigint;
  inMinor: bigint;
  outMinor: bigint;
}

/** Reads the money of all live merchants, and what moved since an instant. */
export async function readMoney(tx: Tx, since: Date): Promise<MoneyAt[]> {
  const { rows } = await sql<MoneyAt>`
    select kind, reference, currency, balance_minor as "balanceMinor", in_minor as "inMinor", out_minor as "outMinor"
    from staff_money(${since}::timestamptz) order by currency, kind, reference`.execute(tx.query);
  return rows;
}

/** The orders that one channel decided within one hour. */
export type ChannelHourRow = Omit<ChannelHour, 'hour' | 'paid' | 'refused'> & {
  hour: Date;
  paid: bigint;
  refused: bigint;
};

/** Reads the orders that channels decided within the last hours, the current one included, oldest first. */
export async function readChannelHours(tx: Tx): Promise<ChannelHourRow[]> {
  const { rows } = await sql<ChannelHourRow>`
    select hour, channel, kind, paid, refused from staff_channel_hour
    where hour > date_trunc('hour', now()) - ${sql.lit(channelHours)} * interval '1 hour'
    order by hour, channel, kind`.execute(tx.query);
  return rows;
}
