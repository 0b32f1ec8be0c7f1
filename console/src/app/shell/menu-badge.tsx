import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { type ReactElement, useEffect, useState } from 'react';
import { HasPerm } from '../../platform/session-store.ts';
import { whenSettledAfter } from '../../platform/when-settled.ts';

// The menu works without it.
const WaitingCount = onDemand(
  () => import('../../features/approvals/waiting-count.tsx').then((module) => module.WaitingCount),
  null,
  null,
);

/** The page loads its own data first; the count waits this long. */
const startDelayMs = 1200;

/** How many requests wait for the user's approval, behind the name of the page that lists them. */
export function MenuBadge({ isCorner }: { isCorner: boolean }): ReactElement | null {
  const [canStart, setCanStart] = useState(false);
  useEffect(() => whenSettledAfter(startDelayMs, () => setCanStart(true)), []);
  return canStart ? (
    <HasPerm any={['approvals.decide']}>
      <WaitingCount isCorner={isCorner} />
    </HasPerm>
  ) : null;
}
