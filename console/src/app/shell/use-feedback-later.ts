import { useEffect } from 'react';
import { whenIdleAfter } from '../../platform/when-idle.ts';

/** Long after a page has settled: what is fetched then takes no time from anything a reader does first. */
const laterMs = 5000;

/** Fetches the code of toasts and dialogs: the one that says that the server is gone must be here before it is. */
export function useFeedbackLater(): void {
  useEffect(() => {
    const fetchIt = () => void import('../../platform/feedback.tsx').catch(() => undefined);
    return whenIdleAfter(laterMs, fetchIt);
  }, []);
}
