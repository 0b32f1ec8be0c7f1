import type { Page } from '@playwright/test';

/** Clicks near the corner, because the middle of a phone's row may have a copy button. */
export const openFirstRow = (page: Page) =>
  page
    .locator('main tbody tr, main li[data-clickable="true"]')
    .first()
    .click({ position: { x: 12, y: 12 } });
