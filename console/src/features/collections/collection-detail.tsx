import type { CollectionRow, CollectionDetail as Detail } from '@hengfu/contract/collections';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import {
  collectionLooks,
  detailOf,
  reasonPhrase,
  settlementLooks,
} from '@hengfu/ui/orders/collection-looks.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Timeline } from '@hengfu/ui/page/timeline.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { CollectionActions } from './collection-actions.tsx';
import { CollectionCallbacks } from './collection-callbacks.tsx';
import { amountOncePaid } from './collection-columns.tsx';
import { CollectionFields } from './collection-fields.tsx';
import { collectionDetailKey, collectionOptions } from './collections.api.ts';
import { ReceiptLink } from './receipt-link.tsx';
import { RefundsOfOrder } from './refunds/refunds-of-order.tsx';

/** Shows one order: first the list's row, then the full detail once it has loaded. */
export function CollectionDetail({
  tradeNo,
  row,
}: {
  tradeNo: string;
  row: CollectionRow | undefined;
}): ReactElement {
  const { data, error, refetch } = useQuery(collectionOptions(tradeNo));
  useLive(['collections'], collectionDetailKey);

  const known = data ?? row;
  return (
    <>
      {error && <Failure error={error} isStale={known !== undefined} onRetry={() => void refetch()} />}
      {(known || !error) && <Head order={known} />}
      {data && (
        <HasPerm any={['collections.create']}>
          <CollectionActions order={data} />
        </HasPerm>
      )}
      {known && <CollectionFields order={known} detail={data} />}
      {data && <RefundsOfOrder order={data} />}
      {data?.paidAt && <ReceiptLink tradeNo={data.trade_no} />}
      {data && <History order={data} />}
      {data && <CollectionCallbacks order={data} />}
    </>
  );
}

function Head({ order }: { order: CollectionRow | undefined }): ReactElement {
  const t = useT();
  return (
    <Figures isBusy={order === undefined}>
      <Figure
        label={t('collections.amount')}
        value={order && <Money amount={order.amount} currency={order.currency} />}
        size="lead"
        note={order && <StatusTag look={collectionLooks[order.status]} />}
      />
      <Figure label={t('collections.fee')} value={order && amountOncePaid(order, order.fee)} />
      <Figure
        label={t('collections.net')}
        value={order && amountOncePaid(order, order.net)}
        note={order?.settlementStatus && <StatusTag look={settlementLooks[order.settlementStatus]} />}
      />
      {order && Number(order.refunded) > 0 && (
        <Figure
          label={t('collections.refunded')}
          value={<Money amount={order.refunded} currency={order.currency} />}
        />
      )}
    </Figures>
  );
}

function History({ order }: { order: Detail }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <Section title={t('collections.timeline')}>
      <Timeline
        entries={order.timeline.map((event) => {
          const { at, status, reason } = event;
          const phrase = reasonPhrase(reason);
          const text = phrase ? t(phrase) : reason;
          return { at, look: collectionLooks[status], text, ...detailOf(event, { t, language }) };
        })}
      />
    </Section>
  );
}
