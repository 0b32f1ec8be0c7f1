import { eventsPath } from '@hengfu/contract/events';
import type { Page } from '@playwright/test';

/**
 * Keeps the event stream of the pages opened from now on from connecting: what a page learns, it learns by its own calls. A story that
 * expects one of them to be the first to find something out would otherwise depend on how quick the machine is.
 */
export async function holdStream(page: Page): Promise<void> {
  await page.route(`**${eventsPath}*`, () => undefined);
}

/** Opens a page with its event stream held, and returns once the page makes no more calls by itself: it has asked for its notices. */
export async function openHeld(page: Page, opens: () => Promise<unknown>): Promise<void> {
  await holdStream(page);
  const notices = page.waitForResponse('**/api/merchant/notices');
  await opens();
  await notices;
}
