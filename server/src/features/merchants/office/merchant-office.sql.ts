import type { RecordedAction } from '@hengfu/contract/audit-log';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { KeyScope } from '@hengfu/contract/key-scopes';
import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import type { Currency } from '@hengfu/contract/money';
import { merchantsPerPage } from '@hengfu/contract/staff/merchants';
import type { MoneyPlace } from '@hengfu/contract/staff/today';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { type ListedMerchant, listedMerchant } from '#domain/staff-merchants.sql.ts';

export interface MerchantFilters {
  search?: string | undefined;
  state?: 'active' | 'suspended' | undefined;
  mode?: MerchantMode | undefined;
  currency?: Currency | undefined;
  after?: string | undefined;
}

/** Lists one merchant more than a page shows, by code, from the one after `after`. */
export async function listMerchantsFrom(tx: Tx, filters: MerchantFilters): Promise<ListedMerchant[]> {
  const { search, state, mode, currency, after } = filters;
  const text = search?.toLowerCase();
  const conditions = [
    text && sql`(position(${text} in code) > 0 or position(${text} in lower(name)) > 0)`,
    state && (state === 'suspended' ? sql`suspended_at is not null` : sql`suspended_at is null`),
    // Test merchants are shown to somebody who asks for them, or searches.
    (mode || text === undefined) && sql`mode = ${mode ?? 'live'}`,
    currency && sql`home_currency = ${currency}`,
    after && sql`code > ${after}`,
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition));
  const { rows } = await sql<ListedMerchant>`
    select ${listedMerchant} from staff_merchant
    where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
    order by code limit ${merchantsPerPage + 1}`.execute(tx.query);
  return rows;
}

/** The facts of a merchant. */
export interface MerchantFacts {
  currency: Currency;
  zone: string;
  createdAt: Date;
  requiresTwoFactor: boolean;
  /** HH:MM, in the merchant's zone. */
  cutOff: string;
  nextSettlementAt: Date;
  whitelist: string[];
  suspensionReason: string | null;
  suspendedBy: string | null;
}

/** The name of whoever acted for the service: a member of our staff, or an operator. */
const actorName = (actor: RawBuilder<unknown>) => sql`case when ${actor} ~ '^staff:[0-9]{1,18}$'
  then (select s.name from staff_user s where s.id = substr(${actor}, 7)::bigint) else regexp_replace(${actor}, '^operator:', '') end`;

/** Reads the facts of a merchant. */
export async function readFacts(tx: MerchantTx): Promise<MerchantFacts> {
  const { rows } = await sql<MerchantFacts>`
    select home_currency as currency, zone, created_at as "createdAt", requires_two_factor as "requiresTwoFactor",
      to_char(settlement_cut_off, 'HH24:MI') as "cutOff", next_settlement_at as "nextSettlementAt",
      allowed_addresses::text[] as whitelist, suspension_reason as "suspensionReason",
      ${actorName(sql`suspended_by`)} as "suspendedBy"
    from merchant where id = ${tx.merchantId}`.execute(tx.query);
  const [facts] = rows;
  if (!facts) throw new Error(`no merchant ${tx.merchantId}`);
  return facts;
}

/** The balance of one account of the ledger. */
export interface Balance {
  kind: MoneyPlace['kind'];
  reference: string;
  currency: Currency;
  balanceMinor: bigint;
}

/** Lists the balances of a merchant's ledger accounts. */
export function listBalances(tx: MerchantTx): Promise<Balance[]> {
  return tx.query
    .selectFrom('staff_balance')
    .select(['kind', 'reference', 'currency', 'balance_minor as balanceMinor'])
    .where('merchant_id', '=', tx.merchantId)
    .orderBy('currency')
    .orderBy('reference')
    .execute();
}

/** An access key, without its secret. */
export interface KeyFacts {
  keyId: string;
  name: string | null;
  scopes: KeyScope[];
  state: 'active' | 'off' | 'ended' | 'revoked';
  note: string | null;
  createdAt: Date;
  until: Date | null;
}

/** Lists all keys that a merchant ever had, newest first. */
export async function listKeyFacts(tx: MerchantTx): Promise<KeyFacts[]> {
  const { rows } = await sql<KeyFacts>`
    select key_id as "keyId", name, scopes, note, created_at as "createdAt", coalesce(revoked_at, ends_at) as until,
      case when revoked_at is not null then 'revoked' when ends_at <= now() then 'ended'
        when disabled_at is not null then 'off' else 'active' end as state
    from access_key where merchant_id = ${tx.merchantId}
    order by access_key.created_at desc, key_id limit 100`.execute(tx.query);
  return rows;
}

/** An address from which a merchant's system called lately. */
export interface Caller {
  address: string;
  calls: bigint;
  /** YYYY-MM-DD, in UTC. */
  lastDay: string;
}

/** Lists the addresses of signed calls in the last seven days, busiest first. */
export async function listLateCallers(tx: MerchantTx): Promise<Caller[]> {
  const { rows } = await sql<Caller>`
    select host(address) as address, sum(calls)::bigint as calls, to_char(max(day), 'YYYY-MM-DD') as "lastDay"
    from signed_call_count
    where merchant_id = ${tx.merchantId} and day > (now() at time zone 'UTC')::date - 7
    group by address order by calls desc, address limit 50`.execute(tx.query);
  return rows;
}

/** One version of a channel's terms. */
export interface TermsVersion {
  channel: ChannelCode;
  validFrom: Date;
  isInForce: boolean;
  collectionRatePpm: number;
  collectionFixedMinor: bigint;
  payoutRatePpm: number;
  payoutFixedMinor: bigint;
  refundFeeKept: boolean;
  refundFromAvailable: boolean;
}

/** Lists the versions of a merchant's terms by channel, the newest first. */
export async function listTerms(tx: MerchantTx): Promise<TermsVersion[]> {
  const { rows } = await sql<TermsVersion>`
    select channel, valid_from as "validFrom", collection_rate_ppm as "collectionRatePpm",
      collection_fixed_minor as "collectionFixedMinor", payout_rate_ppm as "payoutRatePpm",
      payout_fixed_minor as "payoutFixedMinor", refund_fee_kept as "refundFeeKept",
      refund_from_available as "refundFromAvailable",
      valid_from = max(valid_from) filter (where valid_from <= now()) over (partition by channel) as "isInForce"
    from merchant_terms where merchant_id = ${tx.merchantId}
    order by channel, valid_from desc limit 200`.execute(tx.query);
  return rows;
}

/** One version of a merchant's terms of withdrawals. */
export interface WithdrawalTermsVersion {
  validFrom: Date;
  isInForce: boolean;
  feeUsdtMinor: bigint;
  freePerDay: number;
  minimumUsdtMinor: bigint;
}

/** Lists the versions of a merchant's terms of withdrawals, the newest first. */
export async function listWithdrawalTerms(tx: MerchantTx): Promise<WithdrawalTermsVersion[]> {
  const { rows } = await sql<WithdrawalTermsVersion>`
    select valid_from as "validFrom", fee_usdt_minor as "feeUsdtMinor", free_per_day as "freePerDay",
      minimum_usdt_minor as "minimumUsdtMinor",
      valid_from = max(valid_from) filter (where valid_from <= now()) over () as "isInForce"
    from withdrawal_terms where merchant_id = ${tx.merchantId}
    order by valid_from desc limit 100`.execute(tx.query);
  return rows;
}

/** A note of our staff. */
export interface Note {
  id: bigint;
  text: string;
  by: string;
  at: Date;
}

/** Lists the latest notes about a merchant, newest first. */
export function listNotes(tx: MerchantTx): Promise<Note[]> {
  return tx.query
    .selectFrom('merchant_note as n')
    .innerJoin('staff_user as s', 's.id', 'n.staff_id')
    .select(['n.id', 'n.text', 's.name as by', 'n.at'])
    .where('n.merchant_id', '=', tx.merchantId)
    .orderBy('n.id', 'desc')
    .limit(200)
    .execute();
}

/** Adds a note. */
export async function insertNote(tx: MerchantTx, staffId: bigint, text: string): Promise<void> {
  await tx.query
    .insertInto('merchant_note')
    .values({ merchant_id: tx.merchantId, staff_id: staffId, text })
    .execute();
}

/** An action of our staff or of an operator. */
export interface OfficeAction {
  id: bigint;
  at: Date;
  by: string;
  action: RecordedAction;
  subject: string | null;
  reason: string | null;
}

/** Lists the latest actions of our staff and operators, newest first: probes the index of actions for each that they can make. */
export async function listOfficeActions(
  tx: MerchantTx,
  actions: readonly RecordedAction[],
  limit: number,
): Promise<OfficeAction[]> {
  const { rows } = await sql<OfficeAction>`
    select a.id, a.at, ${actorName(sql`a.actor`)} as by, a.action, coalesce(u.email, a.subject) as subject,
      a.after ->> 'reason' as reason
    from (
      select found.* from unnest(${[...actions]}::text[]) as made (action)
      cross join lateral (
        select id, at, actor, action, subject, after from audit
        where merchant_id = ${tx.merchantId} and action = made.action and action <> 'payout.create'
          and (actor like 'staff:%' or actor like 'operator:%')
        order by id desc limit ${limit}) found
      order by found.id desc limit ${limit}) a
    left join app_user u on u.id = case when a.subject ~ '^user:[0-9]{1,18}$' then substr(a.subject, 6)::bigint end
    order by a.id desc`.execute(tx.query);
  return rows;
}
