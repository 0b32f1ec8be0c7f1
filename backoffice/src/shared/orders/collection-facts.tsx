import type { CollectionSeen } from '@hengfu/contract/staff/merchant-looks';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
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

interface CollectionFactsProps {
  order: CollectionSeen;
  /** Shown before the other facts. */
  first?: readonly Field[];
  /** Each of its refunds, shown below their sums; absent if there is none, or only the sums are known. */
  refunds?: ReactElement | undefined;
}

/** The facts of a collection, its refunds, and its timeline. */
export function CollectionFacts({ order, first = [], refunds }: CollectionFactsProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <OrderFacts
      fields={[...first, ...fieldsOf(order, t)]}
      timeline={order.timeline.map((event) => {
        const phrase = reasonPhrase(event.reason);
        const text = phrase ? t(phrase) : event.reason;
        return {
          at: event.at,
          look: collectionLooks[event.status],
          text,
          ...detailOf(event, { t, language }),
        };
      })}
    >
      <Refunds order={order}>{refunds}</Refunds>
    </OrderFacts>
  );
}

/** The sums of a collection's refunds, if anybody has asked for one. */
function Refunds({
  order,
  children,
}: {
  order: CollectionSeen;
  children: ReactElement | undefined;
}): ReactElement | null {
  const t = useT();
  const { refunded, refunding, currency, refundedAt, refundApprovalState } = order;
  const isUntouched = Number(refunded) === 0 && Number(refunding) === 0;
  if (isUntouched && refundApprovalState === null && !children) return null;
  return (
    <Section title={t('refunds.ofOrder')}>
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
      {children}
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
