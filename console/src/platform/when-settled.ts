import { queryClient } from './query-client.ts';
import { whenIdle } from './when-idle.ts';

/** Data that takes longer is not waited for. */
const patienceMs = 3000;
const pollMs = 50;

/**
 * Runs once `ms` have passed, no data is on its way (3 s later at the latest), and the browser is idle, so
 * that nothing fetched ahead delays the page itself. Returns the function that cancels it.
 */
export function whenSettledAfter(ms: number, run: () => void): () => void {
  let isWanted = true;
  const timer = setTimeout(async () => {
    await dataHasArrived();
    if (isWanted) whenIdle(() => isWanted && run());
  }, ms);
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

/** Resolves once no data is on its way: with true, or with false after 3 s. */
export async function dataHasArrived(): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    if (queryClient.isFetching() === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return false;
}
