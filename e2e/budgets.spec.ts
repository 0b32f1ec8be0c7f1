import { expect, type Page } from '@playwright/test';
import { open, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

declare global {
  interface Window {
    readyMs?: number;
  }
}

/** Limits on the transfer until a page is usable. `npm run bench -- console` measures the times. */
const budgets = [
  { name: 'sign-in', path: '/login', kilobytes: 160, ready: 'form input:enabled' },
  { name: 'dashboard', path: '/dashboard', kilobytes: 320, ready: '.uplot canvas' },
  { name: 'transactions', path: '/collection/payments', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'settlements', path: '/collection/Settlements', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'payouts', path: '/behalfPay/transfers', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'top-ups', path: '/recharge/record', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'withdrawals', path: '/withdrawal/record', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'fund flow', path: '/fund/fundWater', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'audit log', path: '/setting/auditLog', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'daily report', path: '/fund/dailyReport', kilobytes: 340, ready: 'main tbody tr td' },
] as const;
const maxRequests = 12;

/** Records when the page becomes usable; later transfers do not count. */
function watch(selector: string): void {
  const look = () => {
    if (document.querySelector(selector)) window.readyMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Returns the kilobytes and requests until then, as the browser counts them. */
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
  test(`${name} needs at most ${kilobytes} KB and ${maxRequests} requests until it is usable`, async ({
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
    const devtools = await context.newCDPSession(cold);
    await devtools.send('Network.enable');
    // Throttles the network, so that no idle prefetch starts before the page is usable.
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 60,
      downloadThroughput: 1_125_000,
      uploadThroughput: 1_125_000,
    });
    await cold.addInitScript(watch, ready);
    await open(cold, path, 'en', productUrl(), 'commit');
    // A link under the pointer has its page fetched ahead. A new document has the pointer in its corner, on the
    // link to the dashboard, until it moves.
    await cold.mouse.move(720, 450);
    const load = await loadOf(cold);
    process.stdout.write(
      `      ${name}: ${load.kilobytes.toFixed(1)} KB, ${load.requests.length} requests\n`,
    );
    expect(load.kilobytes).toBeGreaterThan(60);
    expect(load.kilobytes).toBeLessThanOrEqual(kilobytes);
    expect(load.requests.length, load.requests.join('\n')).toBeLessThanOrEqual(maxRequests);
    await context.close();
  });
