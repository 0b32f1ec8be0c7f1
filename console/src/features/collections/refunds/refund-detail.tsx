import type { RefundDetail as Detail, RefundRow } from '@hengfu/contract/refunds';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { refundLooks } from '@hengfu/ui/orders/refund-looks.ts';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useLive } from '../../../platform/live.ts';
import { AuditLink } from '../../../shared/audit-link.tsx';
import { Failure } from '../../../shared/failure.tsx';
import { ApprovalNote } from '../../../shared/payments/approval-note.tsx';
import { BookedMoney, OrderOfRefund, RefundSourceName } from './refund-columns.tsx';
import { refundDetailKey, refundOptions } from './refunds.api.ts';

/** Shows one refund: first the list's row, then the full detail once it has loaded. */
export function RefundDetail({
  refundNo,
  row,
}: {
  refundNo: string;
  row: RefundRow | undefined;
}): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(refundOptions(refundNo));
  useLive(['collections'], refundDetailKey);
  const refund = data ?? row;
  // Until it is approved, nobody knows what its part of the fee will be: it depends on the refunds that are made before.
  const later = refund?.status === 'requested' ? t('refunds.knownOnceApproved') : undefined;
  return (
    <>
      {error && <Failure error={error} isStale={refund !== undefined} onRetry={() => void refetch()} />}
      {(refund || !error) && (
        <Figures isBusy={refund === undefined}>
          <Figure
            label={t('refunds.amount')}
            value={refund && <Money amount={refund.amount} currency={refund.currency} />}
            size="lead"
            note={refund && <StatusTag look={refundLooks[refund.status]} />}
          />
          <Figure
            label={t('refunds.fee')}
            value={refund && <BookedMoney amount={refund.fee} currency={refund.currency} />}
            note={later}
          />
          <Figure
            label={t('refunds.net')}
            value={refund && <BookedMoney amount={refund.net} currency={refund.currency} />}
            note={later}
          />
        </Figures>
      )}
      {data && (
        <ApprovalNote state={data.approvalState} tradeNo={data.refund_no} hint="collections.refundWaits" />
      )}
      {refund?.failure && <Notice tone="bad">{t(`refunds.failure.${refund.failure}`)}</Notice>}
      {refund && <RefundFields refund={refund} detail={data} />}
    </>
  );
}

function RefundFields({ refund, detail }: { refund: RefundRow; detail: Detail | undefined }): ReactElement {
  const t = useT();
  const settlementNo = detail?.settlement_no;
  const fields: Field[] = [
    { label: t('refunds.refund_no'), value: refund.refund_no, copy: refund.refund_no },
    {
      label: t('refunds.trade_no'),
      value: <OrderOfRefund tradeNo={refund.trade_no} />,
      copy: refund.trade_no,
    },
    { label: t('collections.out_trade_no'), value: refund.out_trade_no, copy: refund.out_trade_no },
    {
      label: t('refunds.out_refund_no'),
      value: refund.out_refund_no,
      copy: refund.out_refund_no ?? undefined,
    },
    { label: t('refunds.channel'), value: <ChannelName code={refund.channel} /> },
    { label: t('refunds.source'), value: <RefundSourceName source={refund.source} /> },
    {
      label: t('refunds.fromAvailable'),
      value: <BookedMoney amount={refund.fromAvailable} currency={refund.currency} />,
    },
    {
      label: t('refunds.settlement_no'),
      value: settlementNo && (
        <Link to="/collection/Settlements" search={{ open: settlementNo }}>
          {settlementNo}
        </Link>
      ),
      copy: settlementNo ?? undefined,
    },
    {
      label: t('payouts.bankReference'),
      value: detail?.bankReference,
      copy: detail?.bankReference ?? undefined,
    },
    { label: t('refunds.createdAt'), value: <TimeText at={refund.createdAt} /> },
    { label: t('refunds.sentAt'), value: <TimeText at={detail?.sentAt ?? null} /> },
    { label: t('refunds.endedAt'), value: <TimeText at={refund.endedAt} /> },
    { label: t('refunds.reason'), value: refund.reason, isWide: true },
    ...(detail?.detail ? [{ label: t('refunds.channelSaid'), value: detail.detail, isWide: true }] : []),
  ];
  return (
    <Section title={t('refunds.details')} extra={<AuditLink subject={refund.trade_no} />}>
      <Fields fields={fields} />
    </Section>
  );
}
