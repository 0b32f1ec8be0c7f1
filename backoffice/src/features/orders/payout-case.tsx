import { type PayoutCase, payoutCaseEndpoints } from '@hengfu/contract/staff/orders';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { Evidence } from '../../shared/evidence.tsx';
import { Failure } from '../../shared/failure.tsx';
import { PayoutFacts, PayoutFigures } from '../../shared/orders/payout-facts.tsx';
import { CaseAction } from './case-parts.tsx';
import { ContradictionSection } from './contradiction-section.tsx';
import { MerchantName } from './order-columns.tsx';
import { Callbacks, Postings } from './order-parts.tsx';
import { OutcomeSection } from './outcome-form.tsx';
import { useOrderAction } from './use-order-action.ts';

/** One payout: its facts, what happened to it, its callbacks and postings, and the action that its state allows. */
export function PayoutCaseDetail({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(
    reading(payoutCaseEndpoints.get, { params: { trade_no: tradeNo } }),
  );
  useLive(['payouts', 'staffRequests'], [payoutCaseEndpoints.get.path, tradeNo]);
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {(data || !error) && <PayoutFigures order={data} />}
      {data && (
        <>
          <ContradictionSection order={data} />
          <Step order={data} />
          <PayoutFacts
            order={data}
            first={[{ label: t('office.merchant'), value: <MerchantName merchant={data.merchant} /> }]}
          />
          <OutcomeSection order={data} />
          <Evidence tradeNo={data.trade_no} />
          <Callbacks order={data} />
          <Postings order={data} />
        </>
      )}
    </>
  );
}

/** Has the payout's next step done at once. */
function Step({ order }: { order: PayoutCase }): ReactElement {
  const t = useT();
  const isUnsent = order.step === 'send';
  const action = useOrderAction(
    payoutCaseEndpoints.takeUp,
    { trade_no: order.trade_no },
    isUnsent ? 'officeOrders.sent' : 'collections.asked',
  );
  return (
    <CaseAction
      action={action}
      isPossible={order.step !== null}
      label={t(isUnsent ? 'officeOrders.send' : 'collections.ask')}
    />
  );
}
