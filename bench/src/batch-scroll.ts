import type { Browser, Page } from '@playwright/test';
import { cpuSlowdown, newContext } from './cold-page.ts';

declare global {
  interface Window {
    longestMs?: number;
  }
}

const batchRows = 3000;
const headings = '收款人,收款账号,银行,金额,商户订单号';
const stepPixels = 120;
const steps = 150;
/** The number of jumps, which divide the table into equal parts. */
const jumps = 7;
/** Rendering after a jump has ended by then. */
const restMs = 700;

/** The longest task while a batch is scrolled, in milliseconds: step by step in each frame, and in jumps. Browsers report tasks from 50 ms. */
export interface Scrolling {
  stepMs: number;
  jumpMs: number;
}

/** Opens a file of many rows in the editor of batches, and scrolls through it with the CPU throttled. */
export async function scrollBatch(browser: Browser, url: string, cookies: string): Promise<Scrolling> {
  const context = await newContext(browser, url, `${cookies}; language=en`);
  try {
    const page = await context.newPage();
    await page.goto(`${url}/behalfPay/apply?mode=batch`);
    const buffer = Buffer.from([headings, ...Array.from({ length: batchRows }, rowOf)].join('\r\n'));
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'salaries.csv', mimeType: 'text/csv', buffer });
    await page.locator('tbody[data-state=fine] input').first().waitFor({ timeout: 60_000 });
    // The server's check of the rows ends meanwhile.
    await page.waitForLoadState('networkidle');
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    await page.evaluate(watchTasks);
    return {
      stepMs: await longestIn(page, () => page.evaluate(scrollBySteps, { stepPixels, steps })),
      jumpMs: await longestIn(page, () => page.evaluate(scrollByJumps, { jumps, restMs })),
    };
  } finally {
    await context.close();
  }
}

/** A row that nothing is wrong with. */
function rowOf(_: unknown, index: number): string {
  return `林小雨,98765${String(index).padStart(8, '0')},招商银行,${100 + (index % 900)}.50,BENCH-${index}`;
}

/** Returns the longest task while something is done. */
async function longestIn(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    window.longestMs = 0;
  });
  await work();
  await page.waitForTimeout(restMs);
  return page.evaluate(() => window.longestMs ?? Number.NaN);
}

/** Runs in the page. */
function watchTasks(): void {
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.longestMs = Math.max(window.longestMs ?? 0, duration);
  }).observe({ type: 'longtask' });
}

/** Runs in the page: scrolls the table a bit in each frame. */
async function scrollBySteps({ stepPixels, steps }: { stepPixels: number; steps: number }): Promise<void> {
  const region = document.querySelector('table[aria-rowcount]')?.parentElement;
  for (let step = 0; step < steps; step++) {
    region?.scrollBy(0, stepPixels);
    await new Promise(requestAnimationFrame);
  }
}

/** Runs in the page: scrolls the table by a part of its height, again and again. */
async function scrollByJumps({ jumps, restMs }: { jumps: number; restMs: number }): Promise<void> {
  const region = document.querySelector('table[aria-rowcount]')?.parentElement;
  for (let jump = 1; jump <= jumps; jump++) {
    region?.scrollTo(0, (region.scrollHeight * jump) / (jumps + 1));
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}
