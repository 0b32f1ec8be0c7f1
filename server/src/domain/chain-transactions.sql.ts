import type { MerchantTx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';

/** A transaction on a chain, and the top-up that it funds or the withdrawal that it pays. */
export interface ChainTransaction {
  kind: 'topup' | 'withdrawal';
  network: string;
  transactionId: string;
  tradeNo: string;
}

/** Claims a transaction for an order of the merchant. Throws `taken()` if another order of any merchant holds it. */
export async function claimTransaction(
  tx: MerchantTx,
  { kind, network, transactionId, tradeNo }: ChainTransaction,
  taken: () => Error,
): Promise<void> {
  try {
    await tx.query
      .insertInto('chain_transaction')
      .values({ kind, network, transaction_id: transactionId, merchant_id: tx.merchantId, trade_no: tradeNo })
      .execute();
  } catch (error) {
    throw databaseFault(error)?.constraint === 'chain_transaction_pkey' ? taken() : error;
  }
}

/** Withdraws an order's claim, so that another may submit the transaction. */
export async function releaseTransaction(
  tx: MerchantTx,
  { kind, network, transactionId, tradeNo }: ChainTransaction,
): Promise<void> {
  await tx.query
    .deleteFrom('chain_transaction')
    .where('kind', '=', kind)
    .where('network', '=', network)
    .where('transaction_id', '=', transactionId)
    .where('merchant_id', '=', tx.merchantId)
    .where('trade_no', '=', tradeNo)
    .execute();
}
