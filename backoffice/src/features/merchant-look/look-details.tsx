import type { SettlementRow } from '@hengfu/contract/settlements';
import { merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ListView } from '@hengfu/ui/list/list-view.tsx';
import { batchLooks } from '@hengfu/ui/orders/settlement-looks.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Timeline, type TimelineEntry } from '@hengfu/ui/page/timeline.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo } from 'react';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import { listSource } from '../../shared/list-source.ts';
import { CollectionFacts, CollectionFigures } from '../../shared/orders/collection-facts.tsx';
import { PayoutFacts, PayoutFigures } from '../../shared/orders/payout-facts.tsx';
import { lineColumns } from './columns.tsx';

interface OrderLookProps {
  code: string;
  tradeNo: string;
}

/** A collection with its timeline, as the merchant sees it. */
export function CollectionLook({ code, tradeNo }: OrderLookProps): ReactElement {
  const { data, error, refetch } = useQuery(
    reading(merchantLookEndpoints.collection, { params: { code, trade_no: tradeNo } }),
  );
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <CollectionFigures order={data} />
      {data && <CollectionFacts order={data} />}
    </>
  );
}

/** A payout with its timeline, as the merchant sees it. */
export function PayoutLook({ code, tradeNo }: OrderLookProps): ReactElement {
  const { data, error, refetch } = useQuery(
    reading(merchantLookEndpoints.payout, { params: { code, trade_no: tradeNo } }),
  );
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PayoutFigures order={data} />
      {data && <PayoutFacts order={data} />}
    </>
  );
}

/** A settlement with its payments and refunds, as the merchant sees it. */
export function SettlementLook({ code, settlementNo }: { code: string; settlementNo: string }): ReactElement {
  const { data, error, refetch } = useQuery(
    reading(merchantLookEndpoints.settlement, { params: { code, settlement_no: settlementNo } }),
  );
  const lines = useMemo(
    () => listSource(merchantLookEndpoints.settlementLines, { code, settlement_no: settlementNo }),
    [code, settlementNo],
  );
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <SettlementFigures batch={data} />
      {data && <SettlementFacts batch={data} />}
      {data && (
        <ListView
          name="office-look-lines"
          title="settlements.lines"
          nested="lines"
          source={lines}
          rowKey={(line) => line.refund_no ?? line.trade_no}
          columns={lineColumns}
          sumLabel="settlements.linesSum"
          empty={{ text: 'settlements.linesEmpty' }}
        />
      )}
    </>
  );
}

function SettlementFigures({ batch }: { batch: SettlementRow | undefined }): ReactElement {
  const t = useT();
  const money = (amount: string) => batch && <Money amount={amount} currency={batch.currency} />;
  return (
    <Figures isBusy={batch === undefined}>
      <Figure
        label={t('settlements.net')}
        value={batch && money(batch.net)}
        size="lead"
        note={batch && <StatusTag look={batchLooks[batch.status]} />}
      />
      <Figure label={t('settlements.amount')} value={batch && money(batch.amount)} />
      <Figure label={`− ${t('settlements.fee')}`} value={batch && money(batch.fee)} />
      <Figure label={`− ${t('settlements.refunded')}`} value={batch && money(batch.refunded)} />
    </Figures>
  );
}

/** The facts of a settlement, and when it was created and settled. */
function SettlementFacts({ batch }: { batch: SettlementRow }): ReactElement {
  const t = useT();
  const steps: TimelineEntry[] = [{ at: batch.createdAt, look: batchLooks.pendingSettlement }];
  if (batch.settledAt !== null) steps.push({ at: batch.settledAt, look: batchLooks.settled });
  return (
    <>
      <Section title={t('settlements.details')}>
        <Fields
          fields={[
            { label: t('settlements.settlement_no'), value: batch.settlement_no, copy: batch.settlement_no },
            { label: t('settlements.cutOffAt'), value: <TimeText at={batch.cutOffAt} /> },
            { label: t('settlements.orderCount'), value: <Count of={batch.orderCount} /> },
            { label: t('settlements.refundCount'), value: <Count of={batch.refundCount} /> },
          ]}
        />
      </Section>
      <Section title={t('officeOrders.timeline')}>
        <Timeline entries={steps} />
      </Section>
    </>
  );
}
