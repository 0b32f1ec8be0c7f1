import type { Currency } from '@hengfu/contract/money';
import type { RoleCode } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { insertAccount, type NewAccount } from '#domain/accounts.sql.ts';

export interface NewMerchant {
  code: string;
  name: string;
  currency: Currency;
  /** IANA name, such as Asia/Shanghai. */
  zone: string;
  /** Local time of the daily settlement, HH:MM. */
  cutOff: string;
}

export interface MerchantRow {
  id: bigint;
  code: string;
  name: string;
  currency: Currency;
  zone: string;
  isSuspended: boolean;
}

/** Creates a merchant and returns its id; undefined if the code is taken. */
export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<bigint | undefined> {
  const { code, name, currency, zone, cutOff } = merchant;
  // Nothing is returned: the row belongs to a merchant that the transaction does not name yet.
  const { numAffectedRows } = await sql`
    insert into merchant (code, name, home_currency, zone, settlement_cut_off, next_settlement_at)
    values (${code}, ${name}, ${currency}, ${zone}, ${cutOff}::time, next_cut_off(${zone}, ${cutOff}::time, now()))
    on conflict do nothing`.execute(tx.query);
  if (numAffectedRows !== 1n) return undefined;
  const row = await tx.query
    .selectFrom('staff_merchant')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirst();
  return row?.id;
}

/** Makes the rest of a transaction work for a merchant that it has created. */
export async function workFor(tx: Tx, merchantId: bigint): Promise<void> {
  await sql`select set_config('app.merchant_id', ${String(merchantId)}, true)`.execute(tx.query);
}

/** Sets whether a merchant's users must have a second factor. */
export async function updateTwoFactorRule(tx: Tx, merchantId: bigint, isRequired: boolean): Promise<void> {
  await tx.query
    .updateTable('merchant')
    .set({ requires_two_factor: isRequired })
    .where('id', '=', merchantId)
    .execute();
}

/** Whether a merchant's users must have a second factor. */
export async function isFactorRequired(tx: Tx, merchantId: bigint): Promise<boolean> {
  const row = await tx.query
    .selectFrom('merchant')
    .select('requires_two_factor')
    .where('id', '=', merchantId)
    .executeTakeFirst();
  return row?.requires_two_factor ?? false;
}

/** Lists the emails of a merchant's active users who have no second factor. */
export async function listWithoutFactor(tx: Tx, merchantId: bigint): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('app_user as u')
    .innerJoin('membership as p', 'p.user_id', 'u.id')
    .select('u.email')
    .where('p.merchant_id', '=', merchantId)
    .where('p.disabled_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .where('u.two_factor_confirmed_at', 'is', null)
    .where(sql<boolean>`not exists (select from passkey where user_id = u.id)`)
    .orderBy('u.email')
    .execute();
  return rows.map(({ email }) => email);
}

/** Lists all live merchants by code. */
export async function listMerchants(tx: Tx): Promise<MerchantRow[]> {
  const rows = await tx.query
    .selectFrom('merchant')
    .selectAll()
    .where('mode', '=', 'live')
    .orderBy('code')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    name: row.name,
    currency: row.home_currency,
    zone: row.zone,
    isSuspended: row.suspended_at !== null,
  }));
}

export interface NewUser extends NewAccount {
  merchantId: bigint;
  roles: readonly RoleCode[];
}

/** Creates a user of a merchant and returns the id; undefined if the email is taken. */
export async function insertUser(tx: Tx, user: NewUser): Promise<bigint | undefined> {
  const id = await insertAccount(tx, user);
  if (id === undefined) return undefined;
  await tx.query
    .insertInto('membership')
    .values({ merchant_id: user.merchantId, user_id: id, roles: [...user.roles] })
    .execute();
  return id;
}

/** Lists the users of one merchant, or of all merchants. */
export async function listUsers(
  tx: Tx,
  merchantId?: bigint,
): Promise<{ email: string; name: string; roles: RoleCode[]; isDisabled: boolean }[]> {
  const rows = await tx.query
    .selectFrom('app_user as u')
    .innerJoin('membership as p', 'p.user_id', 'u.id')
    .select(['u.email', 'u.name', 'p.roles'])
    .select(sql<boolean>`coalesce(u.disabled_at, p.disabled_at) is not null`.as('isDisabled'))
    .$if(merchantId !== undefined, (query) => query.where('p.merchant_id', '=', merchantId ?? 0n))
    .orderBy('u.email')
    .execute();
  return rows;
}

export interface NewTerms {
  channel: string;
  collectionRatePpm: number;
  collectionFixedMinor: bigint;
  payoutRatePpm: number;
  payoutFixedMinor: bigint;
  /** Whether the fee stays with the service when a payment is given back; as in the latest terms if absent. */
  refundFeeKept?: boolean;
  /** Whether refunds may take from available funds what unsettled funds do not cover; likewise. */
  refundFromAvailable?: boolean;
  /** When the terms take effect; now if absent. */
  validFrom?: Date;
}

/**
 * Adds a merchant's terms for a channel, valid from an instant on; orders created earlier keep their terms.
 */
export async function insertTerms(tx: Tx, merchantId: bigint, terms: NewTerms): Promise<void> {
  const latest = await latestTerms(tx, merchantId, terms.channel);
  await tx.query
    .insertInto('merchant_terms')
    .values({
      merchant_id: merchantId,
      channel: terms.channel,
      collection_rate_ppm: terms.collectionRatePpm,
      collection_fixed_minor: terms.collectionFixedMinor,
      payout_rate_ppm: terms.payoutRatePpm,
      payout_fixed_minor: terms.payoutFixedMinor,
      refund_fee_kept: terms.refundFeeKept ?? latest?.refundFeeKept ?? false,
      refund_from_available: terms.refundFromAvailable ?? latest?.refundFromAvailable ?? false,
      ...(terms.validFrom && { valid_from: terms.validFrom }),
    })
    .execute();
}

/** Returns the latest terms of a merchant's channel; undefined if there are none. */
export async function latestTerms(
  tx: Tx,
  merchantId: bigint,
  channel: string,
): Promise<NewTerms | undefined> {
  const row = await tx.query
    .selectFrom('merchant_terms')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('channel', '=', channel)
    .orderBy('valid_from', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      channel,
      collectionRatePpm: row.collection_rate_ppm,
      collectionFixedMinor: row.collection_fixed_minor,
      payoutRatePpm: row.payout_rate_ppm,
      payoutFixedMinor: row.payout_fixed_minor,
      refundFeeKept: row.refund_fee_kept,
      refundFromAvailable: row.refund_from_available,
      validFrom: row.valid_from,
    }
  );
}

/** Reads a merchant's IP whitelist. */
export async function readAllowedAddresses(tx: Tx, merchantId: bigint): Promise<string[]> {
  const { rows } = await sql<{ blocks: string[] }>`
    select allowed_addresses::text[] as blocks from merchant where id = ${merchantId}`.execute(tx.query);
  return rows[0]?.blocks ?? [];
}

/** Replaces a merchant's IP whitelist; returns the previous one. */
export async function updateAllowedAddresses(
  tx: Tx,
  merchantId: bigint,
  blocks: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ blocks: string[] }>`
    update merchant m set allowed_addresses = ${[...blocks]}::cidr[]
    from (select id, allowed_addresses from merchant where id = ${merchantId} for update) old where m.id = old.id
    returning old.allowed_addresses::text[] as blocks`.execute(tx.query);
  return rows[0]?.blocks ?? [];
}
