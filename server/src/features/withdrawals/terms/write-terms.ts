import type { MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import type { Terms } from '../withdrawals.rules.ts';
import { insertTerms } from '../withdrawals.sql.ts';
import { latestWithdrawalTerms } from './latest-terms.sql.ts';

/** The terms on which a merchant withdraws; USDT in minor units. */
export type WithdrawalTerms = Pick<Terms, 'feeUsdtMinor' | 'freePerDay' | 'minimumUsdtMinor'>;

/** Sets a merchant's terms of withdrawals, from now on, and audits them with those that applied before. */
export async function writeWithdrawalTerms(
  tx: MerchantTx,
  terms: WithdrawalTerms,
  by: ServiceActor,
): Promise<void> {
  const { merchantId } = tx;
  const earlier = await latestWithdrawalTerms(tx);
  await insertTerms(tx, merchantId, terms);
  await writeAudit(tx, {
    merchantId,
    ...fieldsOfActor(by),
    action: 'withdrawal_terms.set',
    ...(earlier && { before: recordOf(earlier) }),
    after: recordOf(terms),
  });
}

const recordOf = ({ feeUsdtMinor, freePerDay, minimumUsdtMinor }: WithdrawalTerms) => ({
  feeUsdtMinor: String(feeUsdtMinor),
  freePerDay,
  minimumUsdtMinor: String(minimumUsdtMinor),
});
