import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { addressGroup } from '#security/address-group.ts';
import { tooManyAttempts } from './throttle.sql.ts';
import { throttleKey } from './throttle-keys.ts';

/** Bytes that are stored of an account's hash, enough to tell a hundred accounts apart. */
const accountBytes = 16;

/** How many different accounts may be tried without success from one network. */
export interface TriedAccountLimits {
  /** From one address, or one /64 of IPv6. */
  caller: number;
  /** From one /48 of IPv6. */
  site: number;
  windowSeconds: number;
  /** Seconds between further accounts in the same window. */
  pauseSeconds: number;
}

/**
 * Counts an account as tried from an address before its password is checked, so that concurrent attempts
 * count, too. An account that is tried again counts once. Throws `too_many_attempts` for an account beyond
 * the limit, unless the pause since the last one is over. A refused attempt is not counted.
 */
export async function countTriedAccount(
  database: Database,
  address: string,
  email: string,
  limits: TriedAccountLimits,
): Promise<void> {
  const networks = networksOf(address, limits);
  await database.asSystem(
    async (tx) => {
      // If the second network refuses, the transaction takes back the first one's count.
      for (const { key, limit } of networks) {
        const waitSeconds = await count(tx, key, accountOf(email), { ...limits, limit });
        if (waitSeconds > 0) throw tooManyAttempts(waitSeconds, limit);
      }
    },
    { oneStatement: networks.length === 1 },
  );
}

/** Removes an account, whose owner has signed in, from the counts of an address. */
export async function forgetTriedAccount(
  database: Database,
  address: string,
  email: string,
  limits: TriedAccountLimits,
): Promise<void> {
  for (const { key } of networksOf(address, limits))
    await database.asSystem(
      (tx) =>
        sql`update sign_in_address set accounts = array_remove(accounts, ${accountOf(email)}) where key = ${key}`.execute(
          tx.prepared,
        ),
      { oneStatement: true },
    );
}

/** Counts the account. Returns the seconds to wait; 0 if it was counted. */
async function count(
  tx: Tx,
  key: Buffer,
  account: Buffer,
  { limit, windowSeconds, pauseSeconds }: TriedAccountLimits & { limit: number },
): Promise<number> {
  const window = sql`${windowSeconds}::integer * interval '1 second'`;
  const pause = sql`${pauseSeconds}::integer * interval '1 second'`;
  const isOver = sql`t.window_started_at <= now() - ${window}`;
  const isKnown = sql`t.accounts @> excluded.accounts`;
  const isWaiting = sql`cardinality(t.accounts) >= ${limit}::integer and t.blocked_until > now()`;
  const { rows } = await sql<{ heard: boolean; wait: number }>`
    insert into sign_in_address as t (key, accounts, window_started_at, expires_at)
    values (${key}, array[${account}::bytea], now(), now() + ${window} + ${pause})
    on conflict (key) do update set
      accounts = case
        when ${isOver} then excluded.accounts
        when ${isKnown} or (${isWaiting}) then t.accounts
        else t.accounts || excluded.accounts end,
      blocked_until = case
        when ${isOver} then null
        when ${isKnown} or (${isWaiting}) or cardinality(t.accounts) + 1 < ${limit}::integer then t.blocked_until
        else now() + ${pause} end,
      window_started_at = case when ${isOver} then excluded.window_started_at else t.window_started_at end,
      expires_at = case when ${isOver} then excluded.expires_at else t.expires_at end
    returning t.accounts @> array[${account}::bytea] as heard,
      coalesce(ceil(extract(epoch from t.blocked_until - now())), 0)::integer as wait`.execute(tx.prepared);
  const { heard = true, wait = 0 } = rows[0] ?? {};
  return heard ? 0 : Math.max(wait, 1);
}

function networksOf(address: string, { caller: ofCaller, site: ofSite }: TriedAccountLimits) {
  const { caller, site } = addressGroup(address);
  const networks = [{ key: throttleKey('accounts of', caller), limit: ofCaller }];
  if (site !== undefined) networks.push({ key: throttleKey('accounts of', site), limit: ofSite });
  return networks;
}

function accountOf(email: string): Buffer {
  return createHash('sha256').update(email).digest().subarray(0, accountBytes);
}
