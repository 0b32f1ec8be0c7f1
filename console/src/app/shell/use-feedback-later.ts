import { useEffect } from 'react';
import { whenIdleAfter } from '../../platform/when-idle.ts';

/** Long after a page has settled, so that the download does not compete with the user's first actions. */
const delayMs = 5000;

/** Prefetches the code of toasts and dialogs: it must be loaded before the server can become unreachable. */
export function useFeedbackLater(): void {
  useEffect(() => {
    const prefetch = () => void import('../../platform/feedback.tsx').catch(() => undefined);
    return whenIdleAfter(delayMs, prefetch);
  }, []);
}
