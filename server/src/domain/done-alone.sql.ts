import type { StaffRequestKind } from '@hengfu/contract/staff/requests';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { nameOfActor, type ServiceActor } from './caller.ts';
import { Refusal } from './refusal.ts';

/** The actions that one person may do alone below an amount. */
export type AloneKind = Extract<StaffRequestKind, 'topupCredit' | 'withdrawalPayment'>;

/** Sums of the actions of one person alone within the last 24 hours, by merchant, in minor units of USDT. */
export type DoneAlone = ReadonlyMap<bigint, bigint>;

/**
 * Adds up what somebody has done alone. Operators count as one person: each of them sets their name themselves, and another name would begin
 * another sum.
 */
export async function sumAlone(tx: Tx, kind: AloneKind, actor: string): Promise<DoneAlone> {
  const isCounted = isOperator(actor) ? sql`actor like 'operator:%'` : sql`actor = ${actor}`;
  const { rows } = await sql<{ merchantId: bigint; sum: bigint }>`
    select about_merchant as "merchantId", sum(usdt_minor)::bigint as sum from staff_alone
    where ${isCounted} and kind = ${kind} and at > now() - interval '24 hours' group by about_merchant`.execute(
    tx.query,
  );
  return new Map(rows.map(({ merchantId, sum }) => [merchantId, sum]));
}

/**
 * Records that somebody does this alone. Throws `approval_changed` if a second person has to agree: because with what the same person has
 * done alone for the merchant within 24 hours, it comes to `belowUsdtMinor` or more. Such actions follow one another.
 */
export async function countAlone(
  tx: MerchantTx,
  given: { kind: AloneKind; by: ServiceActor; usdtMinor: bigint; belowUsdtMinor: bigint },
): Promise<void> {
  const { kind, by, usdtMinor, belowUsdtMinor } = given;
  const { merchantId } = tx;
  const actor = nameOfActor(by);
  const gate = `alone ${kind} ${merchantId} ${isOperator(actor) ? 'operator' : actor}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${gate}, 0))`.execute(tx.query);
  const before = (await sumAlone(tx, kind, actor)).get(merchantId) ?? 0n;
  if (before + usdtMinor >= belowUsdtMinor) throw new Refusal('approval_changed');
  await tx.query
    .insertInto('staff_alone')
    .values({ kind, actor, about_merchant: merchantId, usdt_minor: usdtMinor })
    .execute();
}

function isOperator(actor: string): boolean {
  return actor.startsWith('operator:');
}
