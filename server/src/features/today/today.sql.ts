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
export function listWaiting(tx: Tx): Promise<WaitingThing[]> {
  return tx.query
    .selectFrom('staff_waiting')
    .select([
      'kind',
      'number',
      'merchant_code as merchant',
      'amount_minor as amountMinor',
      'currency',
      'since',
    ])
    .orderBy('since')
    .limit(maxListed)
    .execute();
}

/** Counts what waits, by kind. */
export async function countWaitingThings(tx: Tx): Promise<Map<WaitingKind, number>> {
  const { rows } = await sql<{ kind: WaitingKind; count: number }>`
    select kind, count(*)::integer as count from staff_waiting group by kind`.execute(tx.query);
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
