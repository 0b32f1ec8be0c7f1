import type { CheckStep, CheckVerdict } from '@hengfu/contract/callback-checks';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A check that has ended no later than this, because its process is gone. */
export const longestCheckSeconds = 60;

/** A check as stored. */
export interface StoredCheck {
  steps: CheckStep[];
  verdict: CheckVerdict | null;
  startedAt: Date;
}

/** The columns of a check that `c` names, as `toStoredCheck` reads them. A check whose process is gone is interrupted. */
export const checkColumns = sql`c.steps, c.started_at, coalesce(c.verdict,
  case when c.started_at < now() - ${longestCheckSeconds}::integer * interval '1 second' then 'interrupted' end) as verdict`;

/** The columns of a check beside what it belongs to, which may have none. */
export interface CheckColumns {
  steps: CheckStep[] | null;
  verdict: CheckVerdict | null;
  started_at: Date | null;
}

/** Returns the check of a row; null if there was none. */
export function toStoredCheck({ steps, verdict, started_at: startedAt }: CheckColumns): StoredCheck | null {
  return startedAt === null ? null : { steps: steps ?? [], verdict, startedAt };
}

/** The tables of checks: of endpoints, and of the callback URLs of keys. */
export type CheckTable = 'callback_check' | 'callback_address_check';

/** Whether a check is in progress, whatever it is of. */
export async function isChecking(tx: MerchantTx): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select merchant_id, verdict, started_at from callback_check
      union all
      select merchant_id, verdict, started_at from callback_address_check) c
    where merchant_id = ${tx.merchantId} and verdict is null
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
  return runOf(rows);
}

/** Returns the run of a check that was just recorded. */
export function runOf([row]: readonly { run_id: string }[]): string {
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
export async function addStep(
  tx: MerchantTx,
  table: CheckTable,
  runId: string,
  step: CheckStep,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set steps = steps || ${JSON.stringify([step])}::jsonb
    where merchant_id = ${tx.merchantId} and run_id = ${runId} and verdict is null`.execute(tx.query);
}

/** Ends a check. */
export async function endCheck(
  tx: MerchantTx,
  table: CheckTable,
  runId: string,
  verdict: CheckVerdict,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set verdict = ${verdict}, ended_at = now()
    where merchant_id = ${tx.merchantId} and run_id = ${runId} and verdict is null`.execute(tx.query);
}
