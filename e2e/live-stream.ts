import { eventsPath } from '@hengfu/contract/events';
import type { Page } from '@playwright/test';

/**
 * Keeps the event stream of the pages opened from now on from connecting: what a page learns, it learns by its own calls. A story that
 * expects one of them to be the first to find something out would otherwise depend on how quick the machine is.
 */
export async function holdStream(page: Page): Promise<void> {
  await page.route(`**${eventsPath}*`, () => undefined);
}
