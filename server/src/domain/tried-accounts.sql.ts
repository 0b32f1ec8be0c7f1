import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { addressGroup } from '#security/address-group.ts';
import { tooManyAttempts } from './throttle.sql.ts';
import { throttleKey } from './throttle-keys.ts';

/** Bytes of an account's hash that are kept: among a hundred accounts two don't meet. */
const accountBytes = 16;

/** How many accounts may be tried in vain from one place. */
export interface TriedAccountLimits {
  /** From one address, or one /64 of IPv6. */
  caller: number;
  /** From one /48 of IPv6. */
  site: number;
  windowSeconds: number;
  /** Seconds between further ones in the same window. */
  pauseSeconds: number;
}

/**
 * Counts an account as tried from an address before its password is judged, so that tries made at once count too. An
 * account that is tried again is not counted again. Throws `too_many_attempts` for a further account beyond the limit,
 * unless the pause since the last one is over; a try that is refused is not counted.
 */
export async function countTriedAccount(
  database: Database,
  address: string,
  email: string,
  limits: TriedAccountLimits,
): Promise<void> {
  const places = placesOf(address, limits);
  await database.asSystem(
    async (tx) => {
      // The first place's count goes with the transaction where the second refuses.
      for (const { key, limit } of places) {
        const waitSeconds = await count(tx, key, accountOf(email), { ...limits, limit });
        if (waitSeconds > 0) throw tooManyAttempts(waitSeconds, limit);
      }
    },
    { oneStatement: places.length === 1 },
  );
}

/** Takes an account out of the counts of an address: its owner has come in. */
export async function forgetTriedAccount(
  database: Database,
  address: string,
  email: string,
  limits: TriedAccountLimits,
): Promise<void> {
  for (const { key } of placesOf(address, limits))
    await database.asSystem(
      (tx) =>
        sql`update sign_in_address set accounts = array_remove(accounts, ${accountOf(email)}) where key = ${key}`.execute(
          tx.prepared,
        ),
      { oneStatement: true },
    );
}

/** Seconds that the try has to wait; 0 where it is heard and counted. */
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

function placesOf(address: string, { caller: ofCaller, site: ofSite }: TriedAccountLimits) {
  const { caller, site } = addressGroup(address);
  const places = [{ key: throttleKey('accounts of', caller), limit: ofCaller }];
  if (site !== undefined) places.push({ key: throttleKey('accounts of', site), limit: ofSite });
  return places;
}

function accountOf(email: string): Buffer {
  return createHash('sha256').update(email).digest().subarray(0, accountBytes);
}
