import type { ChannelCode } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import type { MerchantTx } from '#db/database.ts';

/** What a slip tells of a payout, and of who paid. */
export interface SlipOrder {
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
}

/** One payout of the transaction's merchant, as its slip tells it. */
export function findSlipOrder(tx: MerchantTx, tradeNo: string): Promise<SlipOrder | undefined> {
  return tx.query
    .selectFrom('payout as p')
    .innerJoin('merchant as m', 'm.id', 'p.merchant_id')
    .select([
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
