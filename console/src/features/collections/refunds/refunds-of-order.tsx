import type { CollectionDetail } from '@hengfu/contract/collections';
import type { RefundRow } from '@hengfu/contract/refunds';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { refundLooks } from '@hengfu/ui/orders/refund-looks.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money, useMoneyText } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../../platform/live.ts';
import { HasPerm } from '../../../platform/session-store.ts';
import { Failure } from '../../../shared/failure.tsx';
import { ApprovalNote } from '../../../shared/payments/approval-note.tsx';
import { refundsOfOrderKey, refundsOfOrderOptions } from './refunds.api.ts';
import styles from './refunds.module.css';

const RefundDialog = onDemand(() => import('./refund-dialog.tsx').then((module) => module.RefundDialog));

/** The refunds of a paid order, and the button that makes another one while something is left of it. */
export function RefundsOfOrder({ order }: { order: CollectionDetail }): ReactElement | null {
  const t = useT();
  const moneyText = useMoneyText();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    ...refundsOfOrderOptions(order.trade_no),
    enabled: order.paidAt !== null,
  });
  useLive(['collections'], refundsOfOrderKey);
  if (order.paidAt === null) return null;
  const isLeft = data !== undefined && Number(data.left) > 0;
  const button = isLeft && (
    <HasPerm any={['refunds.create']}>
      <Button onClick={() => setOpen(true)}>{t('refunds.give')}</Button>
    </HasPerm>
  );
  const waiting = data?.refunds.find(({ status }) => status === 'requested');
  return (
    <Section title={t('refunds.ofOrder')} extra={button}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {waiting && <ApprovalNote state="waiting" tradeNo={waiting.refund_no} hint="collections.refundWaits" />}
      {data && (
        <p className={styles.left}>{t('refunds.left', { amount: moneyText(data.left, data.currency) })}</p>
      )}
      {data && data.refunds.length > 0 && <List refunds={data.refunds} />}
      {isOpen && data && (
        <RefundDialog
          tradeNo={order.trade_no}
          left={data.left}
          currency={data.currency}
          isFeeReturned={data.isFeeReturned}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  );
}

function List({ refunds }: { refunds: readonly RefundRow[] }): ReactElement {
  return (
    <ul className={styles.list}>
      {refunds.map((refund) => (
        <li key={refund.refund_no}>
          <Link to="/collection/refunds" search={{ open: refund.refund_no }}>
            {refund.refund_no}
          </Link>
          <StatusTag look={refundLooks[refund.status]} />
          <TimeText at={refund.endedAt ?? refund.createdAt} />
          <Money amount={refund.amount} currency={refund.currency} />
        </li>
      ))}
    </ul>
  );
}
