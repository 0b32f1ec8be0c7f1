import { expect, type Page } from '@playwright/test';
import { open, signIn } from './people.ts';
import { test } from './story.ts';

declare global {
  interface Window {
    readyMs?: number;
  }
}

/** What may come over the line until a page is usable. The times beside a bare page: `npm run bench -- console`. */
const budgets = [
  { name: 'sign-in', path: '/login', kilobytes: 160, ready: 'form input:enabled' },
  { name: 'dashboard', path: '/dashboard', kilobytes: 340, ready: '.uplot canvas' },
  { name: 'transactions', path: '/collection/payments', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'settlements', path: '/collection/Settlements', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'payouts', path: '/behalfPay/transfers', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'top-ups', path: '/recharge/record', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'withdrawals', path: '/withdrawal/record', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'fund flow', path: '/fund/fundWater', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'daily report', path: '/fund/dailyReport', kilobytes: 340, ready: 'main tbody tr td' },
] as const;
const mostRequests = 12;

/** Notes when the page is usable, whatever is fetched after that. */
function watch(selector: string): void {
  const look = () => {
    if (document.querySelector(selector)) window.readyMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Kilobytes and requests until then, as the browser counts them. */
async function loadOf(page: Page): Promise<{ kilobytes: number; requests: string[] }> {
  await page.waitForFunction(() => window.readyMs);
  return page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ];
    const before = (entries as PerformanceResourceTiming[]).filter(
      ({ responseEnd }) => responseEnd > 0 && responseEnd <= (window.readyMs ?? 0),
    );
    const bytes = before.reduce((sum, { transferSize }) => sum + transferSize, 0);
    return { kilobytes: bytes / 1000, requests: before.map(({ name }) => name) };
  });
}

for (const { name, path, kilobytes, ready } of budgets)
  test(`${name}: at most ${kilobytes} KB and ${mostRequests} requests until it is usable`, async ({
    browser,
    page,
  }) => {
    const isOpen = path === '/login';
    if (!isOpen) await signIn(page, '/contactUs');
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      ...(!isOpen && { storageState: await page.context().storageState() }),
    });
    const cold = await context.newPage();
    const line = await context.newCDPSession(cold);
    await line.send('Network.enable');
    // A slow line, so that nothing that is fetched when idle slips in before.
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 60,
      downloadThroughput: 1_125_000,
      uploadThroughput: 1_125_000,
    });
    await cold.addInitScript(watch, ready);
    await open(cold, path);
    const load = await loadOf(cold);
    process.stdout.write(
      `      ${name}: ${load.kilobytes.toFixed(1)} KB, ${load.requests.length} requests\n`,
    );
    expect(load.kilobytes).toBeGreaterThan(60);
    expect(load.kilobytes).toBeLessThanOrEqual(kilobytes);
    expect(load.requests.length, load.requests.join('\n')).toBeLessThanOrEqual(mostRequests);
    await context.close();
  });
