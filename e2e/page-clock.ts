import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** A page's time moves so far between two looks. */
const stepMs = 50;

/**
 * Stops the time of a page whose clock is installed; it goes on for the test and the server. Timers and frames of the page
 * wait for the test to move its clock, or to resume it.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Moves the stopped clock of a page until something is so. Throws where it is not after `mostMs` of the page's time. */
export async function runUntil(page: Page, isSo: () => Promise<boolean>, mostMs = 30_000): Promise<void> {
  for (let ranMs = 0; ranMs < mostMs; ranMs += stepMs) {
    await page.clock.runFor(stepMs);
    if (await isSo()) return;
    // Replies and CSS animations take time of the world.
    await pause(stepMs);
  }
  throw new Error(`not so after ${mostMs} ms of the page’s time`);
}
