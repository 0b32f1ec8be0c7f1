import type { PayoutStatus } from '@hengfu/contract/payouts';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { StatusLook } from '../../ui/status-tag.tsx';

/** How each status of a payout looks, everywhere. */
export const payoutLooks: Readonly<Record<PayoutStatus, StatusLook>> = {
  pending: { label: 'payouts.status.pending', tone: 'waiting', icon: 'circle' },
  processing: { label: 'payouts.status.processing', tone: 'active', icon: 'circleClock' },
  processed: { label: 'payouts.status.processed', tone: 'good', icon: 'circleCheck' },
  rejected: { label: 'payouts.status.rejected', tone: 'bad', icon: 'circleCross' },
  pendingSettlement: { label: 'payouts.status.pendingSettlement', tone: 'waiting', icon: 'circleClock' },
};

const reasons: Readonly<Record<string, PhraseKey>> = {
  created: 'payouts.reason.created',
  sent: 'payouts.reason.sent',
  channel_accepted: 'payouts.reason.channel_accepted',
  channel_paid: 'payouts.reason.channel_paid',
  channel_refused: 'payouts.reason.channel_refused',
  channel_contradicts: 'payouts.reason.channel_contradicts',
};

/** The sentence for a reason; undefined for one that a newer server knows and this console does not. */
export function reasonPhrase(reason: string | null): PhraseKey | undefined {
  return reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}

/** A channel's usual words for a refusal, in plain ones; anything else is shown as it came. */
const refusals: Readonly<Record<string, PhraseKey>> = {
  'account closed': 'payouts.refusal.accountClosed',
  'name does not match account': 'payouts.refusal.nameMismatch',
  'voided before it arrived': 'payouts.refusal.neverArrived',
};

/** The plain sentence for a channel's refusal, where it is a usual one. */
export function refusalPhrase(words: string | null): PhraseKey | undefined {
  return words !== null && Object.hasOwn(refusals, words) ? refusals[words] : undefined;
}
