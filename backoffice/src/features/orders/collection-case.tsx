import { type CollectionCase, collectionCaseEndpoints } from '@hengfu/contract/staff/orders';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import {
  collectionLooks,
  detailOf,
  reasonPhrase,
  settlementLooks,
} from '@hengfu/ui/orders/collection-looks.ts';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Timeline } from '@hengfu/ui/page/timeline.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import { MerchantName } from './order-columns.tsx';
import { Callbacks, Postings } from './order-parts.tsx';
import { useOrderAction } from './use-order-action.ts';

/** One collection: its facts, what happened to it, its refund, callbacks and postings, and the action that its state allows. */
export function CollectionCaseDetail({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(
    reading(collectionCaseEndpoints.get, { params: { trade_no: tradeNo } }),
  );
  useLive(['collections'], [collectionCaseEndpoints.get.path, tradeNo]);
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {(data || !error) && <Head order={data} />}
      {data && (
        <>
          <Ask order={data} />
          <Section title={t('payouts.details')}>
            <Fields fields={fieldsOf(data, t)} />
          </Section>
          <Refund order={data} />
          <Section title={t('officeOrders.timeline')}>
            <Timeline
              entries={data.timeline.map((event) => {
                const phrase = reasonPhrase(event.reason);
                const text = phrase ? t(phrase) : event.reason;
                return { at: event.at, look: collectionLooks[event.status], text, ...detailOf(event, t) };
              })}
            />
          </Section>
          <Callbacks order={data} />
          <Postings order={data} />
        </>
      )}
    </>
  );
}

function Head({ order }: { order: CollectionCase | undefined }): ReactElement {
  const t = useT();
  const money = (amount: string) => order && <Money amount={amount} currency={order.currency} />;
  return (
    <Figures isBusy={order === undefined}>
      <Figure
        label={t('payouts.amount')}
        value={order && money(order.amount)}
        size="lead"
        note={order && <StatusTag look={collectionLooks[order.status]} />}
      />
      <Figure label={t('payouts.fee')} value={order && money(order.fee)} />
      <Figure label={t('collections.net')} value={order && money(order.net)} />
    </Figures>
  );
}

/** Has the channel asked at once if the collection was paid. */
function Ask({ order }: { order: CollectionCase }): ReactElement | null {
  const t = useT();
  const canAct = useHasPerm('orders.act');
  const action = useOrderAction(
    collectionCaseEndpoints.ask,
    { trade_no: order.trade_no },
    'collections.asked',
  );
  if (!canAct || !order.canAsk) return null;
  return (
    <p>
      <Button look="primary" aria-disabled={action.isPending} onClick={() => action.mutate()}>
        {t('collections.ask')}
      </Button>
    </p>
  );
}

/** The refund of a collection, if anybody has asked for one. */
function Refund({ order }: { order: CollectionCase }): ReactElement | null {
  const t = useT();
  const { refunded, refunding, currency, refundedAt, refundApprovalState } = order;
  const isUntouched = Number(refunded) === 0 && Number(refunding) === 0;
  if (isUntouched && refundApprovalState === null) return null;
  return (
    <Section title={t('officeOrders.refund')}>
      <Fields
        fields={[
          { label: t('collections.refunded'), value: <Money amount={refunded} currency={currency} /> },
          { label: t('collections.refunding'), value: <Money amount={refunding} currency={currency} /> },
          {
            label: t('approvals.stateLabel'),
            value: refundApprovalState && t(`approvals.states.${refundApprovalState}`),
          },
          { label: t('collections.refundedAt'), value: <TimeText at={refundedAt} /> },
        ]}
      />
    </Section>
  );
}

function fieldsOf(order: CollectionCase, t: ReturnType<typeof useT>): Field[] {
  return [
    { label: t('office.merchant'), value: <MerchantName merchant={order.merchant} /> },
    { label: t('payouts.trade_no'), value: order.trade_no, copy: order.trade_no },
    { label: t('payouts.out_trade_no'), value: order.out_trade_no, copy: order.out_trade_no },
    { label: t('collections.subject'), value: order.subject },
    { label: t('payouts.channel'), value: <ChannelName code={order.channel} /> },
    {
      label: t('payouts.bankReference'),
      value: order.bankReference,
      copy: order.bankReference ?? undefined,
    },
    {
      label: t('collections.settlementLabel'),
      value: order.settlementStatus && <StatusTag look={settlementLooks[order.settlementStatus]} />,
    },
    { label: t('collections.settlement_no'), value: order.settlement_no },
    { label: t('payouts.createdAt'), value: <TimeText at={order.createdAt} /> },
    { label: t('collections.expiresAt'), value: <TimeText at={order.expiresAt} /> },
    { label: t('collections.paidAt'), value: <TimeText at={order.paidAt} /> },
  ];
}
