import { formatAmount } from '@hengfu/contract/money';
import type { PayoutSlip, payoutSlipEndpoints } from '@hengfu/contract/payout-slips';
import type { Handlers } from '#http/bind.ts';
import type { PayoutSlips, Slip } from './payout-slips.service.ts';

/** Handles the calls about slips: a merchant makes a link, and anyone with the link reads the slip. */
export function payoutSlipHandlers(slips: PayoutSlips): Handlers<typeof payoutSlipEndpoints> {
  return {
    make: async ({ caller, request, params }) => {
      const { url, expiresAt } = await slips.make(caller, request, params.trade_no);
      return { data: { url, expiresAt: expiresAt.toISOString() } };
    },
    revoke: async ({ caller, request, params }) => {
      await slips.revoke(caller, request, params.trade_no);
      return undefined;
    },
    get: async ({ params }) => ({ data: toSlip(await slips.read(params.token)) }),
  };
}

function toSlip({ order, url, expiresAt }: Slip): PayoutSlip {
  return {
    merchant: order.merchant,
    zone: order.zone,
    trade_no: order.tradeNo,
    amount: formatAmount(order.amountMinor, order.currency),
    currency: order.currency,
    channel: order.channel,
    payee: order.payee,
    payeeAccount: masked(order.payeeAccount),
    bank: order.bank,
    bankName: order.bankName,
    bankReference: order.bankReference,
    remark: order.remark,
    createdAt: order.createdAt.toISOString(),
    paidAt: (order.paidAt ?? order.createdAt).toISOString(),
    url,
    expiresAt: expiresAt.toISOString(),
  };
}

const shownAtEnds = 4;

/** "6222021234567890128" → "6222 •••• 0128"; a short number shows only its end. */
function masked(account: string): string {
  const plain = account.replaceAll(/\s/g, '');
  const start = plain.length >= shownAtEnds * 3 ? `${plain.slice(0, shownAtEnds)} ` : '';
  return `${start}•••• ${plain.slice(-Math.min(shownAtEnds, Math.floor(plain.length / 2)))}`;
}
