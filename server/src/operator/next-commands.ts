import type { PayoutStatus } from '@hengfu/contract/payouts';
import type { TopupStatus } from '@hengfu/contract/topups';
import type { WithdrawalStatus } from '@hengfu/contract/withdrawals';

const topup: Record<TopupStatus, readonly string[]> = {
  pendingReview: ['topup approve <trade_no> --arrived <usdt>', 'topup reject <trade_no> --reason <text>'],
  approved: ['topup credit <trade_no>', 'topup reject <trade_no> --reason <text>'],
  paid: [],
  rejected: [],
};

const withdrawal: Record<WithdrawalStatus, readonly string[]> = {
  pendingReview: ['withdrawal approve <trade_no>', 'withdrawal reject <trade_no> --reason <text>'],
  approved: [
    'withdrawal pay <trade_no> --transaction <hash>',
    'withdrawal reject <trade_no> --reason <text>',
  ],
  paid: [],
  rejected: [],
};

/** A payout that may have reached its channel: only the channel can say how it ended. */
const sent = ['payout take-up <trade_no>', 'payout show <trade_no>'];

const payout: Record<PayoutStatus, readonly string[]> = {
  pending: ['payout take-up <trade_no>', 'payout reject <trade_no> --reason <text>'],
  pendingSettlement: sent,
  processing: sent,
  processed: [],
  rejected: [],
};

/** The operator commands that apply to an order, by the phrase of its status; none if it is final. */
export const nextCommands: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ topups: topup, withdrawals: withdrawal, payouts: payout }).flatMap(([kind, states]) =>
    Object.entries(states).map(([status, commands]) => [`${kind}.status.${status}`, commands]),
  ),
);
