import type { Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import type { Terms } from '../withdrawals.rules.ts';
import { insertTerms } from '../withdrawals.sql.ts';

/** The terms on which a merchant withdraws; USDT in minor units. */
export type WithdrawalTerms = Pick<Terms, 'feeUsdtMinor' | 'freePerDay' | 'minimumUsdtMinor'>;

/** Sets a merchant's terms of withdrawals, from now on, and audits them. */
export async function writeWithdrawalTerms(
  tx: Tx,
  merchantId: bigint,
  terms: WithdrawalTerms,
  by: ServiceActor,
): Promise<void> {
  const { feeUsdtMinor, freePerDay, minimumUsdtMinor } = terms;
  const after = {
    feeUsdtMinor: String(feeUsdtMinor),
    freePerDay,
    minimumUsdtMinor: String(minimumUsdtMinor),
  };
  await insertTerms(tx, merchantId, terms);
  await writeAudit(tx, { merchantId, ...fieldsOfActor(by), action: 'withdrawal_terms.set', after });
}
