import type { Page } from '@playwright/test';

/**
 * Lets the next call to `calls` reach the server, and drops its reply. Resolves to a function that waits until it
 * is dropped.
 */
export async function loseNextReply(page: Page, calls: string): Promise<() => Promise<void>> {
  const lost = Promise.withResolvers<void>();
  // A test that fails earlier does not wait for it.
  lost.promise.catch(() => undefined);
  await page.route(
    calls,
    async (route) => {
      const dropped = route.fetch().then(() => route.abort());
      await dropped.then(lost.resolve, lost.reject);
    },
    { times: 1 },
  );
  return () => lost.promise;
}
