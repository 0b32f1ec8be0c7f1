import type { SettlementRow } from '@hengfu/contract/settlements';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { batchLooks } from '@hengfu/ui/orders/settlement-looks.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import { orderNumberField } from '../../shared/names/order-number.ts';
import { NetCheck } from './net-check.tsx';
import { SettlementLines } from './settlement-lines.tsx';
import { settlementDetailKey, settlementOptions } from './settlements.api.ts';

/** One batch: the parts of its net amount, a check against the sum of its lines, and the lines. */
export function SettlementDetail({
  settlementNo,
  row,
}: {
  settlementNo: string;
  row: SettlementRow | undefined;
}): ReactElement {
  const { data, error, refetch } = useQuery(settlementOptions(settlementNo));
  useLive(['settlements'], settlementDetailKey);

  const batch = data ?? row;
  return (
    <>
      {error && <Failure error={error} isStale={batch !== undefined} onRetry={() => void refetch()} />}
      {(batch || !error) && <BatchFigures batch={batch} />}
      {batch && <NetCheck batch={batch} />}
      {batch && <BatchFields batch={batch} />}
      {batch && <SettlementLines settlementNo={settlementNo} />}
    </>
  );
}

function BatchFigures({ batch }: { batch: SettlementRow | undefined }): ReactElement {
  const t = useT();
  const money = (amount: string | undefined) =>
    batch && amount !== undefined ? <Money amount={amount} currency={batch.currency} /> : undefined;
  return (
    <Figures isBusy={batch === undefined}>
      <Figure
        label={t('settlements.net')}
        hint={t('settlements.netHint')}
        value={money(batch?.net)}
        size="lead"
        note={batch && <StatusTag look={batchLooks[batch.status]} />}
      />
      <Figure label={t('settlements.amount')} value={money(batch?.amount)} />
      <Figure label={`− ${t('settlements.fee')}`} value={money(batch?.fee)} />
      <Figure label={`− ${t('settlements.refunded')}`} value={money(batch?.refunded)} />
    </Figures>
  );
}

function BatchFields({ batch }: { batch: SettlementRow }): ReactElement {
  const t = useT();
  return (
    <Section title={t('settlements.details')}>
      <Fields
        fields={[
          orderNumberField(t, t('settlements.settlement_no'), batch.settlement_no),
          { label: t('settlements.cutOffAt'), value: <TimeText at={batch.cutOffAt} /> },
          { label: t('settlements.createdAt'), value: <TimeText at={batch.createdAt} /> },
          { label: t('settlements.settledAt'), value: <TimeText at={batch.settledAt} /> },
          { label: t('settlements.orderCount'), value: <Count of={batch.orderCount} /> },
          { label: t('settlements.refundCount'), value: <Count of={batch.refundCount} /> },
        ]}
      />
    </Section>
  );
}
