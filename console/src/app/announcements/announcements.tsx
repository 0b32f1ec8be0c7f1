import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { type ReactElement, useEffect, useState } from 'react';
import { whenSettledAfter } from '../../platform/when-settled.ts';

const AnnouncementBand = onDemand(
  () => import('./announcement-band.tsx').then((module) => module.AnnouncementBand),
  null,
  null,
);
/** The page's own data comes first. */
const delayMs = 500;

/** The announcements of the service, which are read once the page has settled. */
export function Announcements(): ReactElement | null {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => whenSettledAfter(delayMs, () => setSettled(true)), []);
  return isSettled ? <AnnouncementBand /> : null;
}
