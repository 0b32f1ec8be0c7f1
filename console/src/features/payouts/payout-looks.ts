import type { PayoutDetail, PayoutStatus } from '@hengfu/contract/payouts';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { Translate } from '../../platform/i18n.ts';
import type { StatusLook } from '../../ui/status-tag.tsx';
import type { TimelineEntry } from '../../ui/timeline.tsx';

/** How each status of a payout looks, everywhere. */
export const payoutLooks: Readonly<Record<PayoutStatus, StatusLook>> = {
  pending: { label: 'payouts.status.pending', tone: 'waiting', icon: 'circle' },
  processing: { label: 'payouts.status.processing', tone: 'active', icon: 'circleClock' },
  processed: { label: 'payouts.status.processed', tone: 'good', icon: 'circleCheck' },
  rejected: { label: 'payouts.status.rejected', tone: 'bad', icon: 'circleCross' },
  pendingSettlement: { label: 'payouts.status.pendingSettlement', tone: 'waiting', icon: 'circleClock' },
};

/** What a status means where its name alone may be misread. */
export const statusHints: Readonly<Partial<Record<PayoutStatus, PhraseKey>>> = {
  pendingSettlement: 'payouts.pendingSettlementHint',
};

const reasons: Readonly<Record<string, PhraseKey>> = {
  created: 'payouts.reason.created',
  sent: 'payouts.reason.sent',
  channel_accepted: 'payouts.reason.channel_accepted',
  channel_paid: 'payouts.reason.channel_paid',
  channel_refused: 'payouts.reason.channel_refused',
  channel_contradicts: 'payouts.reason.channel_contradicts',
  staff_rejected: 'payouts.reason.staff_rejected',
};

/** The sentence for a reason; undefined for one that a newer server knows and this console does not. */
export function reasonPhrase(reason: string | null): PhraseKey | undefined {
  return reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}

/** Reasons whose detail is what the channel sent, word for word. */
const fromChannel: ReadonlySet<string | null> = new Set(['channel_refused', 'channel_contradicts']);

/** What a timeline says below the reason: the refusal in the reader's language, and apart from it the channel's words. */
export function detailOf(
  { reason, refusal, detail }: Pick<PayoutDetail['timeline'][number], 'reason' | 'refusal' | 'detail'>,
  t: Translate,
): Pick<TimelineEntry, 'detail' | 'channelMessage'> {
  if (!fromChannel.has(reason)) return { detail };
  return { detail: refusal && t(`payouts.refusal.${refusal}`), channelMessage: detail };
}
