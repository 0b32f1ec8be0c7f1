import { formatAmount } from '@hengfu/contract/money';
import { percentOf } from '@hengfu/contract/staff/merchant-terms';
import { cycleVersions } from '../settings/settlement-versions.rules.ts';
import type { MerchantOffice } from './merchant-office.service.ts';

/** Writes the terms of a merchant as calls of the back office return them. */
export function toTerms({
  currency,
  channels,
  withdrawals,
  facts,
  settlement,
  pastSettlements: past,
  limits,
}: Awaited<ReturnType<MerchantOffice['terms']>>) {
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency);
  const limit = (amountMinor: bigint | null) => (amountMinor === null ? null : money(amountMinor));
  const usdt = (amountMinor: bigint) => formatAmount(amountMinor, 'USDT');
  return {
    channels: channels.map(({ channel, validFrom, isInForce, ...terms }) => ({
      channel,
      validFrom: validFrom.toISOString(),
      isInForce,
      currency,
      collectionRate: percentOf(terms.collectionRatePpm),
      collectionFixed: money(terms.collectionFixedMinor),
      payoutRate: percentOf(terms.payoutRatePpm),
      payoutFixed: money(terms.payoutFixedMinor),
      refundFee: terms.refundFeeKept ? ('kept' as const) : ('returned' as const),
      refundFunds: terms.refundFromAvailable ? ('available' as const) : ('unsettled' as const),
    })),
    withdrawals: withdrawals.map(({ validFrom, isInForce, freePerDay, feeUsdtMinor, minimumUsdtMinor }) => ({
      validFrom: validFrom.toISOString(),
      isInForce,
      fee: usdt(feeUsdtMinor),
      freePerDay,
      minimum: usdt(minimumUsdtMinor),
    })),
    settlement: {
      ...settlement,
      zone: facts.zone,
      nextAt: facts.nextSettlementAt.toISOString(),
      versions: cycleVersions({ current: settlement, past, createdAt: facts.createdAt }, new Date()).map(
        (version) => ({ ...version, validFrom: version.validFrom.toISOString() }),
      ),
    },
    limits: {
      payout: limit(limits.payout),
      payoutsOfDay: limit(limits.payoutsOfDay),
      withdrawalsOfDay: limit(limits.withdrawalsOfDay),
      collection: limit(limits.collection),
    },
    currency,
  };
}
