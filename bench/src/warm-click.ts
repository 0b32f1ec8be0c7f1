import type { Browser } from '@playwright/test';
import { cpuSlowdown, mainThreadWork, newContext } from './cold-page.ts';

declare global {
  interface Window {
    clickedMs?: number;
    rowMs?: number;
  }
}

/** The call that answers with the list's rows. */
const listCall = /\/api\/merchant\/collections(\?|$)/;
/** How long the pointer rests on the entry, with the page and the data there. Work of an idle page ends meanwhile. */
const restMs = 1500;

/** A click on a menu entry. */
export interface Click {
  /** From the click's event to the frame that has the list's first row. */
  rowMs: number;
  /** Script, style and layout meanwhile, in the main thread's processor time. */
  mainThreadMs: number;
}

/**
 * Clicks a menu entry with the CPU throttled. As with a person, the pointer rests on the entry before, so the page's code and
 * data are at hand.
 */
export async function clickMenuEntry(browser: Browser, url: string, cookies: string): Promise<Click> {
  const context = await newContext(browser, url, `${cookies}; language=en`);
  try {
    const page = await context.newPage();
    await page.addInitScript(() => localStorage.setItem('sidebarStatus', 'opened'));
    await page.goto(`${url}/dashboard`);
    await page.locator('.uplot canvas').first().waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'Receive money' }).click();
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Transactions' });
    const rows = page.waitForResponse((reply) => listCall.test(reply.url()));
    await entry.hover();
    await (await rows).finished();
    await page.waitForTimeout(restMs);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.evaluate(watchRow);
    const before = await mainThreadWork(devtools);
    await entry.click();
    const rowMs = await page.waitForFunction(() => window.rowMs, undefined, { timeout: 60_000 });
    const after = await mainThreadWork(devtools);
    return { rowMs: (await rowMs.jsonValue()) ?? Number.NaN, mainThreadMs: sumOf(after) - sumOf(before) };
  } finally {
    await context.close();
  }
}

function sumOf({ scriptMs, styleMs, layoutMs }: Awaited<ReturnType<typeof mainThreadWork>>): number {
  return scriptMs + styleMs + layoutMs;
}

/** Runs in the page: measures from the click's event to the frame in which the table has a row. */
function watchRow(): void {
  const poll = () => {
    const clickedMs = window.clickedMs ?? Number.NaN;
    // The page may have been rendered ahead, hidden.
    const row = [...document.querySelectorAll('tbody tr')].find((found) => found.checkVisibility());
    if (/C\d{15}/.test(row?.textContent ?? '')) window.rowMs = performance.now() - clickedMs;
    else requestAnimationFrame(poll);
  };
  const start = (event: Event) => {
    window.clickedMs = event.timeStamp;
    requestAnimationFrame(poll);
  };
  addEventListener('click', start, { capture: true, once: true });
}
