import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { Refusal } from '#domain/refusal.ts';

/** A merchant's own accounts, which can't go below zero. */
export type MerchantAccount = 'available' | 'locked' | 'unsettled';
/** The service's side, kept per merchant. Clearing has one account per channel, crypto one per network. */
export type ServiceAccount = 'fees' | 'clearing' | 'crypto' | 'adjustments';

/** One leg: minor units added to an account (negative takes away). `reference` names the channel or network. */
export interface LedgerEntry {
  account: MerchantAccount | ServiceAccount;
  reference?: string;
  amountMinor: bigint;
}

/** Why money moved. The statement of available funds shows these types. */
export type TransferType =
  | 'collection_payment'
  | 'collection_refund'
  | 'collection_refund_reversal'
  | 'collection_settlement'
  | 'payout_deduction'
  | 'payout_payment'
  | 'payout_refund'
  | 'topup'
  | 'withdrawal'
  | 'withdrawal_payment'
  | 'withdrawal_refund'
  | 'funds_transfer_in'
  | 'funds_transfer_out'
  | 'adjustment';

export interface Transfer {
  type: TransferType;
  /** Idempotency key: a second posting under the same key fails. */
  key: string;
  /** Public number of the order or batch. */
  subjectNo: string;
  currency: Currency;
  /** Must sum to zero. Entries that net to zero on an account are left out. */
  entries: readonly LedgerEntry[];
  /** When it happened; by the database's clock if absent. */
  at?: Date;
}

/** The balances of one merchant in one currency, in minor units. */
export type Balances = Record<MerchantAccount, bigint>;

/**
 * Posts a transfer in one statement. Throws Refusal `insufficient_funds` if a merchant's account would go
 * below zero. The transaction must then be rolled back.
 */
export async function post(tx: MerchantTx, transfer: Transfer): Promise<void> {
  const entries = netByAccount(transfer.entries);
  if (entries.length === 0) return;
  const kinds = entries.map((entry) => entry.account);
  const references = entries.map((entry) => entry.reference ?? '');
  const amounts = entries.map((entry) => String(entry.amountMinor));
  await refuseOverdraft(
    sql`select ledger_post(
      ${transfer.type}, ${transfer.key}, ${transfer.subjectNo}, ${transfer.currency},
      ${kinds}::text[], ${references}::text[], ${amounts}::bigint[], coalesce(${transfer.at ?? null}::timestamptz, now()))`.execute(
      tx.prepared,
    ),
  );
}

/** Awaits a statement that posts. Throws `insufficient_funds` if a merchant's account would go below zero. */
export async function refuseOverdraft<T>(posting: Promise<T>): Promise<T> {
  try {
    return await posting;
  } catch (error) {
    if (databaseFault(error)?.constraint === 'ledger_account_not_negative')
      throw new Refusal('insufficient_funds');
    throw error;
  }
}

/** Nets the entries to one leg per account, without legs of zero. */
function netByAccount(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const byAccount = Map.groupBy(entries, ({ account, reference }) => `${account} ${reference ?? ''}`);
  return [...byAccount.values()].flatMap((legs) => {
    const amountMinor = legs.reduce((sum, leg) => sum + leg.amountMinor, 0n);
    return legs[0] && amountMinor !== 0n ? [{ ...legs[0], amountMinor }] : [];
  });
}

/** Reads the merchant's balances. Unused accounts count as zero. */
export async function balances(tx: MerchantTx, currency: Currency): Promise<Balances> {
  const rows = await tx.prepared
    .selectFrom('ledger_account')
    .select(['kind', 'balance_minor'])
    .where('merchant_id', '=', tx.merchantId)
    .where('currency', '=', currency)
    .where('kind', 'in', ['available', 'locked', 'unsettled'])
    .execute();
  const found = new Map(rows.map((row) => [row.kind, row.balance_minor]));
  return {
    available: found.get('available') ?? 0n,
    locked: found.get('locked') ?? 0n,
    unsettled: found.get('unsettled') ?? 0n,
  };
}

/** A broken rule of the ledger, and where. */
export interface Violation {
  rule: string;
  detail: string;
}

/** A ledger with countless violations must not be read into memory as a whole. */
const maxViolations = 1000;

/** Reads what is wrong with the ledger, and where it disagrees with the orders. */
export const violationsQuery = sql<Violation>`
  select rule, detail from ledger_violations()
  union all select rule, detail from fund_flow_violations()
  union all select rule, detail from collection_violations()
  union all select rule, detail from refund_violations()
  union all select rule, detail from payout_violations()
  union all select rule, detail from payout_batch_violations()
  union all select rule, detail from withdrawal_violations()
  union all select rule, detail from topup_violations()
  union all select rule, detail from payment_link_violations()
  union all select rule, detail from rollup_day_violations()
  limit ${maxViolations}`;

/**
 * Checks the ledger's own rules and its agreement with the orders. Returns the first thousand violations;
 * none on a sound system.
 */
export async function violations(tx: Tx): Promise<Violation[]> {
  await tx.disableTimeouts();
  // From here on no month of entries is archived, and the statement sees the sums of those that were.
  await sql`lock table ledger_entry in access share mode`.execute(tx.query);
  const { rows } = await violationsQuery.execute(tx.query);
  return rows;
}
