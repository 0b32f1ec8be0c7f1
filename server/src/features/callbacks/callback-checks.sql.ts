import type { CheckStep, CheckVerdict } from '@hengfu/contract/callback-checks';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { longestCheckSeconds } from './callback-endpoints.sql.ts';

/** Whether a check of one of the merchant's endpoints is in progress. */
export async function isChecking(tx: MerchantTx): Promise<boolean> {
  const { rows } = await sql`
    select from callback_check where merchant_id = ${tx.merchantId} and verdict is null
      and started_at > now() - ${longestCheckSeconds}::integer * interval '1 second'`.execute(tx.query);
  return rows.length > 0;
}

/** Records the beginning of a check, in place of the endpoint's last one. Returns what distinguishes it from others. */
export async function beginCheck(tx: MerchantTx, endpointId: bigint): Promise<string> {
  const { rows } = await sql<{ run_id: string }>`
    insert into callback_check (merchant_id, endpoint_id) values (${tx.merchantId}, ${endpointId})
    on conflict (merchant_id, endpoint_id) do update
      set run_id = gen_random_uuid(), steps = '[]', verdict = null, started_at = now(), ended_at = null
    returning run_id`.execute(tx.query);
  const [row] = rows;
  if (!row) throw new Error('the check was not recorded');
  return row.run_id;
}

/** A check that its job begins. */
export interface DueCheck {
  url: string;
  /** Encrypted. */
  secrets: Buffer[];
}

/** Empties the steps of a check, which its job begins or begins again. Undefined if it is over, or the endpoint was removed. */
export async function takeCheck(
  tx: MerchantTx,
  { endpointId, runId }: { endpointId: bigint; runId: string },
): Promise<DueCheck | undefined> {
  const { rows } = await sql<{ url: string; secret: Buffer; previous: Buffer | null }>`
    update callback_check c set steps = '[]' from callback_endpoint e
    where c.merchant_id = ${tx.merchantId} and c.endpoint_id = ${endpointId} and c.run_id = ${runId} and c.verdict is null
      and c.started_at > now() - ${longestCheckSeconds}::integer / 2 * interval '1 second'
      and e.merchant_id = c.merchant_id and e.id = c.endpoint_id and e.state <> 'removed'
    returning e.url, e.secret_encrypted as secret,
      case when e.previous_ends_at > now() then e.previous_secret_encrypted end as previous`.execute(
    tx.query,
  );
  const [row] = rows;
  return row && { url: row.url, secrets: [row.secret, ...(row.previous === null ? [] : [row.previous])] };
}

/** Adds a step to a check. */
export async function addStep(tx: MerchantTx, runId: string, step: CheckStep): Promise<void> {
  await sql`
    update callback_check set steps = steps || ${JSON.stringify([step])}::jsonb
    where merchant_id = ${tx.merchantId} and run_id = ${runId} and verdict is null`.execute(tx.query);
}

/** Ends a check. */
export async function endCheck(tx: MerchantTx, runId: string, verdict: CheckVerdict): Promise<void> {
  await tx.query
    .updateTable('callback_check')
    .set({ verdict, ended_at: sql<Date>`now()` })
    .where('merchant_id', '=', tx.merchantId)
    .where('run_id', '=', runId)
    .where('verdict', 'is', null)
    .execute();
}
