import type { RefundDetail } from '@hengfu/contract/refunds';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { refundLooks } from '@hengfu/ui/orders/refund-looks.ts';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Timeline, type TimelineEntry } from '@hengfu/ui/page/timeline.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './orders.module.css';

/** The refunds of a collection, each with its numbers, amounts and steps. */
export function RefundsOfCollection({ refunds }: { refunds: readonly RefundDetail[] }): ReactElement {
  return (
    <>
      {refunds.map((refund) => (
        <Refund key={refund.refund_no} refund={refund} />
      ))}
    </>
  );
}

function Refund({ refund }: { refund: RefundDetail }): ReactElement {
  const t = useT();
  const { refund_no, status, amount, currency } = refund;
  return (
    <section className={styles.refund} aria-label={t('refunds.order', { refund_no })}>
      <p className={styles.line}>
        <strong>{refund_no}</strong>
        <CopyButton text={refund_no} name={t('refunds.refund_no')} />
        <StatusTag look={refundLooks[status]} />
        <Money amount={amount} currency={currency} />
      </p>
      <Fields fields={factsOf(refund, t)} />
      <Timeline entries={stepsOf(refund, t)} />
    </section>
  );
}

/** Returns the facts that a refund has: many have neither a number of the merchant nor an approval. */
function factsOf(refund: RefundDetail, t: ReturnType<typeof useT>): Field[] {
  const { out_refund_no: outNo, bankReference, fee, fromAvailable, currency, approvalState } = refund;
  const fact = (label: PhraseKey, value: ReactNode, more?: Pick<Field, 'copy' | 'isWide'>): Field[] =>
    value === null ? [] : [{ label: t(label), value, ...more }];
  const money = (amount: string | null) => amount && <Money amount={amount} currency={currency} />;
  return [
    ...fact('refunds.out_refund_no', outNo, { copy: outNo ?? undefined }),
    ...fact('payouts.bankReference', bankReference, { copy: bankReference ?? undefined }),
    ...fact('refunds.fee', money(fee)),
    ...fact('refunds.fromAvailable', money(fromAvailable)),
    ...fact('refunds.settlement_no', refund.settlement_no),
    ...fact('approvals.stateLabel', approvalState && t(`approvals.states.${approvalState}`)),
    ...fact('refunds.reason', refund.reason, { isWide: true }),
  ];
}

/** Only some refunds wait for approval first, so the first step has words of its own. */
const asked: StatusLook = { label: 'officeOrders.refundRequested', tone: 'calm', icon: 'circle' };

/** Returns what has happened to a refund so far. */
function stepsOf(refund: RefundDetail, t: ReturnType<typeof useT>): TimelineEntry[] {
  const { status, source, createdAt, sentAt, endedAt, failure, detail } = refund;
  const steps: TimelineEntry[] = [
    {
      at: createdAt,
      look: asked,
      text: t('officeOrders.refundAsked', { source: t(`refunds.sources.${source}`) }),
    },
  ];
  if (sentAt) steps.push({ at: sentAt, look: refundLooks.processing, text: t('officeOrders.sentAt') });
  if (endedAt)
    steps.push({
      at: endedAt,
      look: refundLooks[status],
      text: failure && t(`officeOrders.refundFailure.${failure}`),
      channelMessage: detail,
    });
  return steps;
}
