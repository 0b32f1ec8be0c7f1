import { randomBytes } from 'node:crypto';
import type { Currency } from '@hengfu/contract/money';
import type { MerchantTx } from '#db/database.ts';
import { type Collection, insertCollections, newCashierToken } from '../collections.sql.ts';

/** An order that no merchant's system has asked for. The payer chooses its channel. */
export interface OwnOrder {
  /** Absent for one that gets its number here. */
  outTradeNo?: string | undefined;
  requestHash: Buffer;
  currency: Currency;
  amountMinor: bigint;
  subject: string | null;
  returnUrl: string | null;
  expirySeconds: number;
  paymentLinkId?: bigint | undefined;
  /** The secret part of its checkout link; absent for one that gets it here. */
  cashierToken?: string | undefined;
}

const numberBytes = 9;

/**
 * Creates an order in the caller's transaction. Returns undefined if the merchant has used the number before or is suspended.
 * No callback reports it: the merchant's system does not know its number.
 */
export async function createOwnOrder(
  tx: MerchantTx,
  { outTradeNo, cashierToken, ...order }: OwnOrder,
): Promise<Collection | undefined> {
  const [created] = await insertCollections(tx, [
    {
      ...order,
      merchantId: tx.merchantId,
      outTradeNo: outTradeNo ?? `H${randomBytes(numberBytes).toString('hex').toUpperCase()}`,
      channel: null,
      notifyUrl: null,
      cashierToken: cashierToken ?? newCashierToken(),
    },
  ]);
  return created;
}
