import { sql } from 'kysely';
import { confirmEarlierCommits, type MerchantTx, type Tx } from '#db/database.ts';

/** A signed call that may be repeated: hashes of its idempotency key and of what it asks for. */
export interface RepeatableCall {
  keyHash: Buffer;
  requestHash: Buffer;
}

/** Identifies a claim. It is text, because a claim is compared to the microsecond. */
export type Claim = string;

/** The state of a key: claimed by this call; held by another call that is in progress; of a call with other input; or answered. */
export type Found =
  | { state: 'claimed'; claim: Claim }
  | { state: 'running' }
  | { state: 'other' }
  | { state: 'answered'; reply: object };

/** After this time, a process must have died during the call: every signed call does its work at most once, whoever repeats it. */
const staleAfter = sql`interval '2 minutes'`;

/** Claims a key for a call, or returns what is there. */
export async function claimCall(tx: MerchantTx, { keyHash, requestHash }: RepeatableCall): Promise<Found> {
  const { rows } = await sql<{ claim: Claim | null; is_same: boolean | null; reply: object | null }>`
    with claimed as (
      insert into repeated_call as c (merchant_id, key_hash, request_hash)
      values (${tx.merchantId}, ${keyHash}, ${requestHash})
      on conflict (merchant_id, key_hash) do update set claimed_at = now()
        where c.reply is null and c.request_hash = excluded.request_hash and c.claimed_at < now() - ${staleAfter}
      returning claimed_at::text as claim
    )
    select claimed.claim, c.request_hash = ${requestHash} as is_same, c.reply
    from (select) one
    left join claimed on true
    left join repeated_call c on c.merchant_id = ${tx.merchantId} and c.key_hash = ${keyHash}`.execute(
    tx.prepared,
  );
  const [row] = rows;
  if (row?.claim) return { state: 'claimed', claim: row.claim };
  if (row?.is_same === false) return { state: 'other' };
  if (!row?.reply) return { state: 'running' };
  await confirmEarlierCommits(tx);
  return { state: 'answered', reply: row.reply };
}

/** Stores the reply to a call, unless its claim was taken over. */
export async function keepReply(
  tx: MerchantTx,
  { keyHash }: RepeatableCall,
  claim: Claim,
  reply: object,
): Promise<void> {
  await sql`
    update repeated_call set reply = ${JSON.stringify(reply)}::jsonb
    where merchant_id = ${tx.merchantId} and key_hash = ${keyHash} and claimed_at = ${claim}::timestamptz and reply is null`.execute(
    tx.prepared,
  );
}

/** Releases the key of a call that was refused. */
export async function releaseCall(tx: MerchantTx, { keyHash }: RepeatableCall, claim: Claim): Promise<void> {
  await sql`
    delete from repeated_call
    where merchant_id = ${tx.merchantId} and key_hash = ${keyHash} and claimed_at = ${claim}::timestamptz and reply is null`.execute(
    tx.prepared,
  );
}

/** Rows that one statement of the sweep deletes, so that it blocks nobody for long. */
const sweptAtOnce = 5000;

/** Deletes calls older than 48 hours; callers can rely on 24. Returns whether there may be more. */
export async function deleteOldCalls(tx: Tx): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from repeated_call where claimed_at < now() - interval '48 hours' and claimed_at <= (
      select max(claimed_at) from (select claimed_at from repeated_call order by claimed_at limit ${sweptAtOnce}) oldest)`.execute(
    tx.query,
  );
  return Number(numAffectedRows) >= sweptAtOnce;
}
