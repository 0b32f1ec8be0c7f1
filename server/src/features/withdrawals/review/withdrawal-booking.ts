import type { MerchantTx } from '#db/database.ts';
import { type LedgerEntry, post, type TransferType } from '#ledger/ledger.ts';
import type { Withdrawal } from '../withdrawals.sql.ts';

/** Posts a transfer of a withdrawal, of each type once. */
export function bookWithdrawal(
  tx: MerchantTx,
  { tradeNo, currency }: Pick<Withdrawal, 'tradeNo' | 'currency'>,
  type: TransferType,
  entries: readonly LedgerEntry[],
): Promise<void> {
  return post(tx, { type, key: `${type}:${tradeNo}`, subjectNo: tradeNo, currency, entries });
}

/** Returns amount and fee of a withdrawal to the available funds. */
export async function giveBack(tx: MerchantTx, order: Withdrawal): Promise<void> {
  const total = order.amountMinor + order.feeMinor;
  await bookWithdrawal(tx, order, 'withdrawal_refund', [
    { account: 'locked', amountMinor: -total },
    { account: 'available', amountMinor: total },
  ]);
}
