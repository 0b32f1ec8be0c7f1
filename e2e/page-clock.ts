import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** How far a page's clock moves between two checks. */
const stepMs = 50;

/**
 * Stops the clock of a page, which must be installed (`page.clock.install`). Time continues for test and server. The page's
 * timers and frames wait until the test moves or resumes the clock.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/**
 * Moves a page's stopped clock until a condition holds. Throws if it does not within `maxMs` of the page's
 * time.
 */
export async function runUntil(page: Page, condition: () => Promise<boolean>, maxMs = 30_000): Promise<void> {
  for (let elapsedMs = 0; elapsedMs < maxMs; elapsedMs += stepMs) {
    await page.clock.runFor(stepMs);
    if (await condition()) return;
    // Replies and CSS animations take real time.
    await pause(stepMs);
  }
  throw new Error(`the condition did not hold within ${maxMs} ms of the page’s time`);
}
