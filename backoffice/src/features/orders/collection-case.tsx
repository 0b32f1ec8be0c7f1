import { type CollectionCase, collectionCaseEndpoints } from '@hengfu/contract/staff/orders';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import { CollectionFacts, CollectionFigures } from '../../shared/orders/collection-facts.tsx';
import { CaseAction } from './case-parts.tsx';
import { MerchantName } from './order-columns.tsx';
import { Callbacks, Postings } from './order-parts.tsx';
import { RefundsOfCollection } from './refunds-of-collection.tsx';
import { useOrderAction } from './use-order-action.ts';

/** One collection: its facts, what happened to it, its refunds, callbacks and postings, and the action that its state allows. */
export function CollectionCaseDetail({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(
    reading(collectionCaseEndpoints.get, { params: { trade_no: tradeNo } }),
  );
  useLive(['collections'], [collectionCaseEndpoints.get.path, tradeNo]);
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {(data || !error) && <CollectionFigures order={data} />}
      {data && (
        <>
          <Ask order={data} />
          <CollectionFacts
            order={data}
            first={[{ label: t('office.merchant'), value: <MerchantName merchant={data.merchant} /> }]}
            refunds={data.refunds.length > 0 ? <RefundsOfCollection refunds={data.refunds} /> : undefined}
          />
          <Callbacks order={data} />
          <Postings order={data} />
        </>
      )}
    </>
  );
}

/** Has the channel asked at once if the collection was paid. */
function Ask({ order }: { order: CollectionCase }): ReactElement {
  const t = useT();
  const action = useOrderAction(
    collectionCaseEndpoints.ask,
    { trade_no: order.trade_no },
    'collections.asked',
  );
  return <CaseAction action={action} isPossible={order.canAsk} label={t('collections.ask')} />;
}
