import type { CollectionSeen } from '@hengfu/contract/staff/merchant-looks';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import {
  collectionLooks,
  detailOf,
  reasonPhrase,
  settlementLooks,
} from '@hengfu/ui/orders/collection-looks.ts';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { OrderFacts } from './order-facts.tsx';
import { OrderFigures } from './order-figures.tsx';

/** The amounts and the status of a collection; undefined while it is loading. */
export function CollectionFigures({ order }: { order: CollectionSeen | undefined }): ReactElement {
  const t = useT();
  return (
    <OrderFigures
      order={order}
      last={{ label: t('collections.net'), amount: order?.net }}
      status={order && <StatusTag look={collectionLooks[order.status]} />}
    />
  );
}

/** The facts of a collection, its refund, and its timeline. `first` is shown before the other facts. */
export function CollectionFacts({
  order,
  first = [],
}: {
  order: CollectionSeen;
  first?: readonly Field[];
}): ReactElement {
  const t = useT();
  return (
    <OrderFacts
      fields={[...first, ...fieldsOf(order, t)]}
      timeline={order.timeline.map((event) => {
        const phrase = reasonPhrase(event.reason);
        const text = phrase ? t(phrase) : event.reason;
        return { at: event.at, look: collectionLooks[event.status], text, ...detailOf(event, t) };
      })}
    >
      <Refund order={order} />
    </OrderFacts>
  );
}

/** The refund of a collection, if anybody has asked for one. */
function Refund({ order }: { order: CollectionSeen }): ReactElement | null {
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

function fieldsOf(order: CollectionSeen, t: ReturnType<typeof useT>): Field[] {
  return [
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
