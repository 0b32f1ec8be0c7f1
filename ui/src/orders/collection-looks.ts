import type { CollectionRefusal } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/languages';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { formatAmountsIn } from '../language/format.ts';
import type { Translate } from '../language/i18n.ts';
import type { TimelineEntry } from '../page/timeline.tsx';
import type { StatusLook } from '../values/status-tag.tsx';
import { reportText } from './payout-looks.ts';

/** Label, tone and icon of each order status. */
export const collectionLooks = {
  toBePaid: { label: 'collections.status.toBePaid', tone: 'waiting', icon: 'circleClock' },
  paid: { label: 'collections.status.paid', tone: 'active', icon: 'check' },
  success: { label: 'collections.status.success', tone: 'good', icon: 'doubleCheck' },
  refunded: { label: 'collections.status.refunded', tone: 'calm', icon: 'undo' },
  cancelled: { label: 'collections.status.cancelled', tone: 'calm', icon: 'close' },
  closed: { label: 'collections.status.closed', tone: 'calm', icon: 'circleDash' },
  failed: { label: 'collections.status.failed', tone: 'bad', icon: 'circleCross' },
} as const satisfies Readonly<Record<string, StatusLook>>;

/** Label, tone and icon of a paid order's settlement status. */
export const settlementLooks = {
  unsettled: { label: 'collections.settlement.unsettled', tone: 'calm', icon: 'circle' },
  pendingSettlement: {
    label: 'collections.settlement.pendingSettlement',
    tone: 'waiting',
    icon: 'circleClock',
  },
  settled: { label: 'collections.settlement.settled', tone: 'good', icon: 'circleCheck' },
} as const satisfies Readonly<Record<string, StatusLook>>;

const reasons: Readonly<Record<string, PhraseKey>> = {
  created: 'collections.reason.created',
  channel_paid: 'collections.reason.channel_paid',
  late_payment: 'collections.reason.late_payment',
  link_used_up: 'collections.reason.link_used_up',
  amount_mismatch: 'collections.reason.amount_mismatch',
  paid_again: 'collections.reason.paid_again',
  channel_contradicts: 'collections.reason.channel_contradicts',
  channel_refused: 'collections.reason.channel_refused',
  cancelled_by_merchant: 'collections.reason.cancelled_by_merchant',
  expired: 'collections.reason.expired',
  callback_acknowledged: 'collections.reason.callback_acknowledged',
  no_callback_wanted: 'collections.reason.no_callback_wanted',
  refund_approval_asked: 'collections.reason.refund_approval_asked',
  refund_approval_given: 'collections.reason.refund_approval_given',
  refund_approval_refused: 'collections.reason.refund_approval_refused',
  refund_approval_withdrawn: 'collections.reason.refund_approval_withdrawn',
  refund_approval_expired: 'collections.reason.refund_approval_expired',
  refund_refused: 'collections.reason.refund_refused',
  refunded: 'collections.reason.refunded',
  part_refunded: 'collections.reason.part_refunded',
};

/** Returns the phrase for a reason; undefined for a reason that only a newer server knows. */
export function reasonPhrase(reason: string | null): PhraseKey | undefined {
  return reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}

/** Reasons whose detail is the channel's own text. */
const fromChannel: ReadonlySet<string | null> = new Set(['channel_refused', 'refund_refused']);

/** Reasons whose detail has an amount: stored as "28.50 CNY", it is shown as amounts are in the reader's language. */
const withAmount: ReadonlySet<string | null> = new Set(['part_refunded', 'amount_mismatch', 'paid_again']);

/** Returns the text below a reason: the translated refusal, and separately the channel's own text. */
export function detailOf(
  {
    reason,
    refusal,
    detail,
  }: { reason: string | null; refusal: CollectionRefusal | null; detail: string | null },
  { t, language }: { t: Translate; language: Language },
): Pick<TimelineEntry, 'detail' | 'channelMessage'> {
  if (withAmount.has(reason)) return { detail: detail && formatAmountsIn(detail, language) };
  if (reason === 'channel_contradicts') return { detail: reportText(detail, t) };
  if (!fromChannel.has(reason)) return { detail };
  return { detail: refusal && t(`collections.refusal.${refusal}`), channelMessage: detail };
}
