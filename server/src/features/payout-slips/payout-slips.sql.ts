import type { ChannelCode } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** The data of a payout and its merchant that a slip shows. */
export interface SlipOrder {
  id: bigint;
  merchant: string;
  zone: string;
  tradeNo: string;
  status: PayoutStatus;
  amountMinor: bigint;
  currency: Currency;
  channel: ChannelCode;
  payee: string;
  payeeAccount: string;
  bank: string | null;
  bankName: string | null;
  bankReference: string | null;
  remark: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** How often its slip links have been revoked. */
  revokedTimes: number;
}

/** Finds a payout of the transaction's merchant, with the data that its slip shows. */
export function findSlipOrder(tx: MerchantTx, tradeNo: string): Promise<SlipOrder | undefined> {
  return tx.query
    .selectFrom('payout as p')
    .innerJoin('merchant as m', 'm.id', 'p.merchant_id')
    .leftJoin('payout_slip_revocation as r', (join) =>
      join.onRef('r.merchant_id', '=', 'p.merchant_id').onRef('r.payout_id', '=', 'p.id'),
    )
    .select(({ fn, lit }) => [
      'p.id',
      fn.coalesce('r.times', lit(0)).as('revokedTimes'),
      'm.name as merchant',
      'm.zone',
      'p.trade_no as tradeNo',
      'p.status',
      'p.amount_minor as amountMinor',
      'p.currency',
      'p.channel',
      'p.payee',
      'p.payee_account as payeeAccount',
      'p.bank',
      'p.bank_name as bankName',
      'p.bank_reference as bankReference',
      'p.remark',
      'p.created_at as createdAt',
      'p.paid_at as paidAt',
    ])
    .where('p.merchant_id', '=', tx.merchantId)
    .where('p.trade_no', '=', tradeNo)
    .executeTakeFirst();
}

/** Revokes all slip links of a payout made so far; returns the number of revocations. */
export async function revokeSlips(tx: MerchantTx, payoutId: bigint): Promise<number> {
  const { times } = await tx.query
    .insertInto('payout_slip_revocation')
    .values({ merchant_id: tx.merchantId, payout_id: payoutId, times: 1 })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'payout_id']).doUpdateSet(({ eb }) => ({
        times: eb('payout_slip_revocation.times', '+', 1),
        revoked_at: sql<Date>`now()`,
      })),
    )
    .returning('times')
    .executeTakeFirstOrThrow();
  return times;
}
