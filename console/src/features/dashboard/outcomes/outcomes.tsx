import type { DashboardQuery } from '@hengfu/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { useLive } from '../../../platform/live.ts';
import { Failure } from '../../../shared/failure.tsx';
import { outcomesKey, outcomesOptions } from '../dashboard.api.ts';
import { FailuresSection } from './failures-section.tsx';
import { OutcomesSection } from './outcomes-section.tsx';

interface OutcomesProps {
  query: DashboardQuery;
  /** The figures are on screen: what became of the orders is fetched after them. */
  isReady: boolean;
}

/** The outcomes of the period's orders: success rates by channel, and the reasons of failures. */
export function Outcomes({ query, isReady }: OutcomesProps): ReactElement {
  const isPainted = useIsPainted();
  const { data, error, refetch } = useQuery({ ...outcomesOptions(query), enabled: isReady && isPainted });
  useLive(['dashboard', 'payouts'], outcomesKey);
  return (
    <>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {(data || !error) && (
        <>
          <OutcomesSection data={data} />
          <FailuresSection data={data} />
        </>
      )}
    </>
  );
}

/** Whether the page has been painted once: what it shows first does not compete with this. */
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    // The frame is painted between the two.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted(true));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted;
}
