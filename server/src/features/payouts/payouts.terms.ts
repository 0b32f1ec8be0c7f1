import type { FeeTerms } from '@hengfu/contract/fees';
import { parseAmount } from '@hengfu/contract/money';
import type { PayoutFields } from '@hengfu/contract/payout-fields';
import type { Home } from '#caller.ts';
import { type MerchantTx, together } from '#db/database.ts';
import { fieldRefusal, Refusal } from '#refusal.ts';
import { isIfsc } from './ifsc.ts';
import { accountKey } from './payouts.rules.ts';
import type { NewPayout, Payout } from './payouts.sql.ts';
import { findOpenTerms, findSimilar, passOneByOne } from './payouts-lookup.sql.ts';

/** What an application for a payout is, from whichever door. */
export interface Application extends Omit<NewPayout, 'tradeNo' | 'feeMinor'> {
  confirmSimilar: boolean;
}

/** What a payout costs, where it may be made at all. Throws `channel_closed`, `similar_payout…`. */
export async function termsFor(tx: MerchantTx, application: Application): Promise<FeeTerms> {
  const [, terms, similar] = await together([
    passOneByOne(tx, application),
    findOpenTerms(tx, application.channel, application.currency),
    findSimilar(tx, application),
  ]);
  if (!terms) throw new Refusal('channel_closed');
  if (similar?.status === 'pendingSettlement') throw similarTo('similar_payout_unknown', similar);
  if (similar && !application.confirmSimilar) throw similarTo('similar_payout', similar);
  return terms;
}

function similarTo(code: 'similar_payout' | 'similar_payout_unknown', earlier: Payout): Refusal {
  const { tradeNo: trade_no, createdAt, status } = earlier;
  const details = { earlier: { trade_no, status, createdAt: createdAt.toISOString() } };
  return new Refusal(code, { values: { trade_no }, details });
}

/** A payout's columns out of what was asked for. Throws `validation_failed`. */
export function columnsOf(home: Pick<Home, 'currency'>, fields: PayoutFields) {
  const { channel, payee, payeeAccount, ifsc } = fields;
  const amountMinor = parseAmount(fields.amount, home.currency);
  if (amountMinor === undefined) throw fieldRefusal('amount', 'validation.amount');
  if (ifsc !== undefined && !isIfsc(ifsc)) throw fieldRefusal('ifsc', 'validation.ifsc');
  return {
    ...{ currency: home.currency, amountMinor, channel, payee, payeeAccount },
    accountKey: accountKey(fields),
    bank: fields.bank ?? null,
    bankName: fields.bankName ?? null,
    branchName: fields.branchName ?? null,
    ifsc: ifsc ?? null,
    accountType: fields.accountType ?? null,
    taxId: fields.taxId ?? null,
    remark: fields.remark ?? null,
  };
}
