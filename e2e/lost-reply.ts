import type { Page } from '@playwright/test';

/**
 * Lets the next call to `calls` reach the server, but not its reply the page. Resolves to a function that waits
 * until the reply is lost.
 */
export async function loseNextReply(page: Page, calls: string): Promise<() => Promise<void>> {
  const lost = Promise.withResolvers<void>();
  await page.route(
    calls,
    async (route) => {
      await route.fetch();
      await route.abort();
      lost.resolve();
    },
    { times: 1 },
  );
  return () => lost.promise;
}
