import { useEffect } from 'react';
import { whenSettledAfter } from '../../platform/when-settled.ts';
import { prefetchQuestions } from './questions.tsx';

/** After a page has settled, so that the download does not compete with its first rows. */
const delayMs = 2000;

/**
 * Prefetches the code of everything that opens above the page: menus and dialogs are there when they are pressed, and
 * alerts before the server can become unreachable.
 */
export function useOverlaysLater(): void {
  useEffect(() => {
    const prefetch = () => {
      prefetchQuestions();
      void Promise.all([
        import('@hengfu/ui/overlays/overlays.ts'),
        import('@hengfu/ui/feedback/feedback.tsx'),
      ]).catch(() => undefined);
    };
    return whenSettledAfter(delayMs, prefetch);
  }, []);
}
