import type { PayoutRefusal } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/languages';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { formatAmountsIn } from '../language/format.ts';
import type { Translate } from '../language/i18n.ts';
import type { TimelineEntry } from '../page/timeline.tsx';
import type { StatusLook } from '../values/status-tag.tsx';

/** Label, tone and icon of each payout status. */
export const payoutLooks = {
  pending: { label: 'payouts.status.pending', tone: 'waiting', icon: 'circle' },
  processing: { label: 'payouts.status.processing', tone: 'active', icon: 'circleClock' },
  processed: { label: 'payouts.status.processed', tone: 'good', icon: 'circleCheck' },
  rejected: { label: 'payouts.status.rejected', tone: 'bad', icon: 'circleCross' },
  pendingSettlement: { label: 'payouts.status.pendingSettlement', tone: 'waiting', icon: 'circleClock' },
} as const satisfies Readonly<Record<string, StatusLook>>;

/** Explains statuses whose names alone may be misread. */
export const statusHints: Readonly<Partial<Record<keyof typeof payoutLooks, PhraseKey>>> = {
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
  statement_paid: 'payouts.reason.statement_paid',
  statement_failed: 'payouts.reason.statement_failed',
  statement_contradicts: 'payouts.reason.statement_contradicts',
  amount_mismatch: 'payouts.reason.amount_mismatch',
  approval_asked: 'payouts.reason.approval_asked',
  approval_given: 'payouts.reason.approval_given',
  approval_refused: 'payouts.reason.approval_refused',
  approval_withdrawn: 'payouts.reason.approval_withdrawn',
  approval_expired: 'payouts.reason.approval_expired',
};

/** Returns the phrase for a reason; undefined for a reason that only a newer server knows. */
export function reasonPhrase(reason: string | null): PhraseKey | undefined {
  return reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}

/** Reasons whose detail is the channel's own text. */
const fromChannel: ReadonlySet<string | null> = new Set(['channel_refused']);

/** Reasons whose detail is another outcome with its reference, stored as "paid (bp_1)". */
const ofReports: ReadonlySet<string | null> = new Set(['channel_contradicts', 'statement_contradicts']);

/** Returns the text below a reason: the translated refusal or report, and separately the channel's own text. */
export function detailOf(
  {
    reason,
    refusal,
    detail,
  }: { reason: string | null; refusal: PayoutRefusal | null; detail: string | null },
  { t, language }: { t: Translate; language: Language },
): Pick<TimelineEntry, 'detail' | 'channelMessage'> {
  if (reason === 'amount_mismatch') return { detail: detail && formatAmountsIn(detail, language) };
  if (ofReports.has(reason)) return { detail: reportText(detail, t) };
  if (!fromChannel.has(reason)) return { detail };
  return { detail: refusal && t(`payouts.refusal.${refusal}`), channelMessage: detail };
}

/** Puts a report that contradicts the outcome into words; one in another form is as it was stored. */
export function reportText(report: string | null, t: Translate): string | null {
  const [, code, reference] = /^(paid|refused|failed) \((.*)\)$/s.exec(report ?? '') ?? [];
  if (code === undefined) return report;
  const outcome = t(code === 'paid' ? 'payouts.reported.paid' : 'payouts.reported.failed');
  return reference && reference !== 'null' ? t('payouts.reportedWith', { outcome, reference }) : outcome;
}
