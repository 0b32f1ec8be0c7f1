import type { ChannelCode } from '@hengfu/contract/channels';
import type { FeeTerms } from '@hengfu/contract/fees';
import type { Currency } from '@hengfu/contract/money';
import { similarHours } from '@hengfu/contract/payouts';
import { sql } from 'kysely';
import { servesMode } from '#channels/channels.sql.ts';
import type { MerchantTx, Tx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import { type Payout, type PayoutSqlRow, toPayout } from './payouts.sql.ts';

/** Finds the current fees of an open channel; undefined if the merchant may not pay out through it. */
export async function findOpenTerms(
  tx: MerchantTx,
  channel: ChannelCode,
  currency: Currency,
): Promise<FeeTerms | undefined> {
  const open = await listOpenChannels(tx, currency);
  return open.find(({ code }) => code === channel);
}

/** Lists the channels through which the merchant may now pay out a currency, by code. */
export async function listOpenChannels(
  tx: MerchantTx,
  currency: Currency,
): Promise<(FeeTerms & { code: ChannelCode })[]> {
  const { rows } = await sql<FeeTerms & { code: ChannelCode }>`
    select distinct on (ch.code) ch.code, t.payout_rate_ppm as "ratePpm", t.payout_fixed_minor as "fixedMinor"
    from channel ch join merchant_terms t on t.channel = ch.code
    where t.merchant_id = ${tx.merchantId} and ch.currency = ${currency} and ch.payout_open and ${servesMode(tx)} and t.valid_from <= now()
    order by ch.code, t.valid_from desc`.execute(tx.prepared);
  return rows;
}

/** Finds the earlier payout that a new one may duplicate. functions/similar_payout.sql defines the rule. */
export async function findSimilar(
  tx: MerchantTx,
  { accountKey, amountMinor }: Pick<Payout, 'accountKey' | 'amountMinor'>,
): Promise<Payout | undefined> {
  const { rows } = await sql<PayoutSqlRow>`
    select * from similar_payout(${tx.merchantId}, ${accountKey}, ${amountMinor}, ${similarHours})`.execute(
    tx.prepared,
  );
  return rows[0] && toPayout(rows[0]);
}

/** Returns whether an account is new, and whether its payee was paid at another account before. */
export async function readPayeeHistory(
  tx: MerchantTx,
  accountKey: string,
  payee: string,
): Promise<{ isNewAccount: boolean; isChangedAccount: boolean }> {
  const { rows } = await sql<{ known: boolean; elsewhere: boolean }>`
    select exists (select from payout where merchant_id = ${tx.merchantId} and account_key = ${accountKey}
        and status = 'processed') as known,
      exists (select from payout where merchant_id = ${tx.merchantId} and payee = ${payee}
        and account_key <> ${accountKey} and status = 'processed') as elsewhere`.execute(tx.prepared);
  const { known = false, elsewhere = false } = rows[0] ?? {};
  return { isNewAccount: !known, isChangedAccount: !known && elsewhere };
}

/** An order to check before it is made. */
export interface OrderToCheck {
  accountKey: string;
  amountMinor: bigint;
  payee: string;
  outTradeNo: string | null;
}

/** Facts about an order before it is accepted. */
export interface OrderFacts {
  /** The earlier payout that the order may repeat. */
  similar: Pick<Payout, 'tradeNo' | 'status'> | null;
  isNewAccount: boolean;
  isChangedAccount: boolean;
  isNumberUsed: boolean;
}

/** Checks many orders before they are made, in one statement; returns one result each, in their order. */
export async function readOrderFacts(tx: MerchantTx, orders: readonly OrderToCheck[]): Promise<OrderFacts[]> {
  const column = <K extends keyof OrderToCheck>(name: K) => orders.map((order) => order[name]);
  const { rows } = await sql<OrderFacts>`
    select s.similar, not k.known as "isNewAccount", not k.known and k.elsewhere as "isChangedAccount",
      o.out_trade_no is not null and exists (select from payout
        where merchant_id = ${tx.merchantId} and out_trade_no = o.out_trade_no) as "isNumberUsed"
    from unnest(${column('accountKey')}::text[], ${column('amountMinor').map(String)}::bigint[], ${column('payee')}::text[],
      ${column('outTradeNo')}::text[]) with ordinality as o (account_key, amount_minor, payee, out_trade_no, line)
    left join lateral (
      select json_build_object('tradeNo', p.trade_no, 'status', p.status) as similar
      from similar_payout(${tx.merchantId}, o.account_key, o.amount_minor, ${similarHours}) p) s on true
    cross join lateral (
      select exists (select from payout where merchant_id = ${tx.merchantId} and account_key = o.account_key
          and status = 'processed') as known,
        exists (select from payout where merchant_id = ${tx.merchantId} and payee = o.payee
          and account_key <> o.account_key and status = 'processed') as elsewhere) k
    order by o.line`.execute(tx.query);
  return rows;
}

/** How many of the newest payouts are searched for payees. */
const rememberedPayouts = 5000;

/** Lists payees of processed payouts whose name or account begins with a text, the last paid first. */
export async function listPayees(
  tx: MerchantTx,
  channel: ChannelCode,
  search: string,
  limit: number,
): Promise<Payout[]> {
  const start = `${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<PayoutSqlRow>`
    select distinct on (paid_at, id) latest.* from (
      select distinct on (account_key, payee) * from (
        select * from payout
        where merchant_id = ${tx.merchantId} and channel = ${channel}
        order by created_at desc, id desc limit ${rememberedPayouts}) recent
      where status = 'processed' and (payee ilike ${start} or payee_account ilike ${start})
      order by account_key, payee, paid_at desc) latest
    order by paid_at desc, id desc limit ${limit}`.execute(tx.query);
  return rows.map(toPayout);
}

/**
 * Returns the display name of an order's creator: the user's name for `user:<id>`, the key's id for
 * `key:<id>`.
 */
export async function readActorName(tx: Tx, merchantId: bigint, actor: string): Promise<string> {
  const [kind, id = ''] = actor.split(/:(.*)/s);
  if (kind !== 'user') return id;
  const row = await tx.query
    .selectFrom('membership as p')
    .innerJoin('app_user as u', 'u.id', 'p.user_id')
    .select('u.name')
    .where('p.merchant_id', '=', merchantId)
    .where('p.user_id', '=', BigInt(id))
    .executeTakeFirst();
  return row?.name ?? id;
}

/**
 * Whether the notice of its batch, which is still to come, will report a payout's end. The share lock makes
 * that notice wait for this transaction, so it counts the payout.
 */
export async function isReportedByBatch(
  tx: MerchantTx,
  { batchNo }: { batchNo: string | null },
): Promise<boolean> {
  if (batchNo === null) return false;
  const { rows } = await sql`
    select from payout_batch where merchant_id = ${tx.merchantId} and batch_no = ${batchNo} and told_at is null
    for share`.execute(tx.prepared);
  return rows.length > 0;
}

/** The position of the last payout that was enqueued. */
interface Position {
  createdAt: Date;
  id: bigint;
}

/**
 * Enqueues the merchant's unsent payouts, the oldest first, after a position. Returns the position to
 * continue from; undefined if none is left. A payout that is enqueued already is not enqueued twice.
 */
export async function planUnsent(
  tx: MerchantTx,
  job: { task: string; maxAttempts: number },
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<Position | undefined> {
  const { rows } = await sql<Position & { planned: number }>`
    with unsent as materialized (
      select trade_no, created_at, id from payout
      where merchant_id = ${tx.merchantId} and status = 'pending'
        and (approval_state is null or approval_state = 'approved')
        and (${after?.id ?? null}::bigint is null
          or (created_at, id) > (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::bigint))
      order by created_at, id limit ${limit}
    ), planned as materialized (
      select enqueue_jobs(${job.task},
        array(select json_build_object('merchantId', ${String(tx.merchantId)}::text, 'tradeNo', trade_no) from unsent),
        array(select 'send:' || trade_no from unsent), ${job.maxAttempts}::integer)
      where exists (select from unsent)
    )
    select created_at as "createdAt", id, (select count(*)::integer from unsent) as planned
    from unsent cross join planned order by created_at desc, id desc limit 1`.execute(tx.query);
  const [last] = rows;
  if (last) tx.jobsReady(last.planned);
  return last && last.planned === limit ? { createdAt: last.createdAt, id: last.id } : undefined;
}

/** Lists a payout's timeline, oldest first. */
export async function listEvents(tx: MerchantTx, order: Payout) {
  return tx.query
    .selectFrom('payout_event')
    .select(['at', 'status', 'reason', 'refusal', 'detail'])
    .where('merchant_id', '=', tx.merchantId)
    .where('payout_id', '=', order.id)
    .where('at', '>=', historyStart(order.createdAt))
    .orderBy('id')
    .execute();
}
