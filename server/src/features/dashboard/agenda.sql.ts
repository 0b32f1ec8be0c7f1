import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** Reads when the merchant's next settlement is due. */
export async function readNextSettlement(tx: MerchantTx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select next_settlement_at as at from merchant where id = ${tx.merchantId}`.execute(tx.prepared);
  const [row] = rows;
  if (!row) throw new Error(`merchant ${tx.merchantId} does not exist`);
  return row.at;
}

/** The parts of a merchant's setup that exist so far. */
export interface SetupState {
  /** The person does not want to see the steps any more. */
  isDismissed: boolean;
  hasKey: boolean;
  hasWhitelist: boolean;
  hasOrder: boolean;
}

/** Reads which steps of the setup are done; those of the person's own account come from elsewhere. */
export async function readSetup(tx: MerchantTx, userId: bigint, currency: Currency): Promise<SetupState> {
  const { rows } = await sql<SetupState>`
    select
      exists (select from first_steps_dismissal where merchant_id = ${tx.merchantId} and user_id = ${userId}) as "isDismissed",
      exists (select from access_key where merchant_id = ${tx.merchantId} and revoked_at is null and disabled_at is null
        and (ends_at is null or ends_at > now())) as "hasKey",
      (select cardinality(allowed_addresses) > 0 from merchant where id = ${tx.merchantId}) as "hasWhitelist",
      exists (select from order_rollup where merchant_id = ${tx.merchantId} and kind in ('collection', 'payout')
        and axis = 'created' and currency = ${currency} and orders <> 0) as "hasOrder"`.execute(tx.prepared);
  const [row] = rows;
  if (!row) throw new Error('the query for the setup returned no row');
  return row;
}

/** Whether a person has set a payment password. */
export async function hasPaymentPassword(tx: Tx, userId: bigint): Promise<boolean> {
  const { rows } = await sql<{ isSet: boolean }>`
    select payment_password_hash is not null as "isSet" from app_user where id = ${userId}`.execute(
    tx.prepared,
  );
  return rows[0]?.isSet === true;
}

/** Records that a person has dismissed the first steps. */
export async function dismissFirstSteps(tx: MerchantTx, userId: bigint): Promise<void> {
  await tx.query
    .insertInto('first_steps_dismissal')
    .values({ merchant_id: tx.merchantId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
