import type { PayoutDetail as Detail, PayoutRow } from '@hengfu/contract/payouts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { detailOf, payoutLooks, reasonPhrase, statusHints } from '@hengfu/ui/orders/payout-looks.ts';
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
import { ApprovalNote } from '../../shared/payments/approval-note.tsx';
import { PayoutFields } from './payout-fields.tsx';
import { payoutDetailKey, payoutOptions } from './payouts.api.ts';
import { SlipLink } from './slip-link.tsx';

/** Shows one payout: first the list's row, then the full detail once it has loaded. */
export function PayoutDetail({
  tradeNo,
  row,
}: {
  tradeNo: string;
  row: PayoutRow | undefined;
}): ReactElement {
  const { data, error, refetch } = useQuery(payoutOptions(tradeNo));
  useLive(['payouts'], payoutDetailKey);
  const known = data ?? row;
  return (
    <>
      {error && <Failure error={error} isStale={known !== undefined} onRetry={() => void refetch()} />}
      {(known || !error) && <Head order={known} />}
      {known && <ApprovalNote state={known.approvalState} tradeNo={known.trade_no} />}
      {known && <PayoutFields order={known} detail={data} />}
      {data?.status === 'processed' && (
        <HasPerm any={['payouts.share']}>
          <SlipLink tradeNo={data.trade_no} />
        </HasPerm>
      )}
      {data && <History order={data} />}
    </>
  );
}

function Head({ order }: { order: PayoutRow | undefined }): ReactElement {
  const t = useT();
  const hint = order && statusHints[order.status];
  const money = (amount: string | undefined) =>
    order && amount !== undefined ? <Money amount={amount} currency={order.currency} /> : undefined;
  return (
    <Figures isBusy={order === undefined}>
      <Figure
        label={t('payouts.amount')}
        value={money(order?.amount)}
        size="lead"
        note={
          order && (
            <>
              <StatusTag look={payoutLooks[order.status]} />
              {hint && <div>{t(hint)}</div>}
            </>
          )
        }
      />
      <Figure label={t('payouts.fee')} value={money(order?.fee)} />
      <Figure label={t('payouts.total')} value={money(order?.total)} />
    </Figures>
  );
}

function History({ order }: { order: Detail }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <Section title={t('payouts.timeline')}>
      <Timeline
        entries={order.timeline.map((event) => {
          const { at, status, reason } = event;
          const phrase = reasonPhrase(reason);
          const text = phrase ? t(phrase) : reason;
          return { at, look: payoutLooks[status], text, ...detailOf(event, { t, language }) };
        })}
      />
    </Section>
  );
}
