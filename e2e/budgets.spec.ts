import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { enter } from './office.ts';
import { backOfficeUrl, demoKey, open, productUrl, signIn } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
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
  { name: 'refunds', path: '/collection/refunds', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'settlements', path: '/collection/Settlements', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'payouts', path: '/behalfPay/transfers', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'top-ups', path: '/recharge/record', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'withdrawals', path: '/withdrawal/record', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'fund flow', path: '/fund/fundWater', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'audit log', path: '/setting/auditLog', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'daily report', path: '/fund/dailyReport', kilobytes: 340, ready: 'main tbody tr td' },
] as const;
/**
 * Pages that people seldom open. They load two chunks more, of what lists do not share, and make a second call: the callbacks for the names of
 * their endpoints, the endpoints for the callback URLs of keys.
 */
const seldomBudgets = [
  { name: 'callbacks', path: '/developers/callbacks', kilobytes: 340, ready: 'main tbody tr td' },
  { name: 'callback endpoints', path: '/developers/endpoints', kilobytes: 340, ready: 'main dl' },
] as const;
const maxSeldomRequests = 14;
/** The same limits hold for the back office. */
const officeBudgets = [
  { name: 'today', path: '/', ready: 'main tbody tr td' },
  { name: 'top-up reviews', path: '/topups', ready: 'main ol button' },
  { name: 'withdrawal reviews', path: '/withdrawals', ready: 'main ol button' },
  { name: 'requests', path: '/requests', ready: 'main fieldset button' },
  { name: 'orders of all merchants', path: '/orders', ready: 'main tbody tr td' },
  { name: 'merchants', path: '/merchants', ready: 'main tbody tr td' },
  { name: 'reconciliation', path: '/reconciliation', ready: 'main button' },
  { name: 'health', path: '/service', ready: 'main tbody tr td' },
] as const;
/** A payer's phone loads less: the checkout page, and the receipt. */
const payerKilobytes = 130;
const officeKilobytes = 340;
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

interface Opened {
  name: string;
  requests?: number;
  path: string;
  ready: string;
  site: string;
  storageState?: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** Opens a page in a browser with an empty cache, and checks what it fetches until it is usable. */
async function expectWithin(
  browser: Browser,
  kilobytes: number,
  { name, path, ready, site, storageState, requests = maxRequests }: Opened,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...(storageState && { storageState }),
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
  await open(cold, path, 'en', site, 'commit');
  // A link under the pointer has its page fetched ahead. A new document has the pointer in its corner, on the
  // link to the dashboard, until it moves.
  await cold.mouse.move(720, 450);
  const load = await loadOf(cold);
  process.stdout.write(`      ${name}: ${load.kilobytes.toFixed(1)} KB, ${load.requests.length} requests\n`);
  expect(load.kilobytes).toBeGreaterThan(60);
  expect(load.kilobytes).toBeLessThanOrEqual(kilobytes);
  expect(load.requests.length, load.requests.join('\n')).toBeLessThanOrEqual(requests);
  await context.close();
}

for (const { name, path, kilobytes, ready } of budgets)
  test(`${name} needs at most ${kilobytes} KB and ${maxRequests} requests until it is usable`, async ({
    browser,
    page,
  }) => {
    const isOpen = path === '/login';
    if (!isOpen) await signIn(page, '/contactUs');
    const storageState = await page.context().storageState();
    const opened = { name, path, ready, site: productUrl() };
    await expectWithin(browser, kilobytes, isOpen ? opened : { ...opened, storageState });
  });

for (const { name, path, kilobytes, ready } of seldomBudgets)
  test(`${name} need at most ${kilobytes} KB and ${maxSeldomRequests} requests until they are usable`, async ({
    browser,
    page,
  }) => {
    await signIn(page, '/contactUs');
    const storageState = await page.context().storageState();
    const requests = maxSeldomRequests;
    await expectWithin(browser, kilobytes, {
      name,
      path,
      ready,
      requests,
      site: productUrl(),
      storageState,
    });
  });

test(`the checkout page needs at most ${payerKilobytes} KB and ${maxRequests} requests until it is usable`, async ({
  browser,
}) => {
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  const order = { out_trade_no: `budget-${Date.now()}`, amount: '12.00', currency: 'CNY', subject: 'Tea' };
  const { cashierUrl } = await shop.create(order);
  const path = `${new URL(cashierUrl).pathname}?lang=en`;
  const opened = { name: 'checkout page', path, ready: 'button.button:enabled', site: productUrl() };
  await expectWithin(browser, payerKilobytes, opened);
});

for (const { name, path, ready } of officeBudgets)
  test(`in the back office, ${name} needs at most ${officeKilobytes} KB and ${maxRequests} requests until it is usable`, async ({
    browser,
    page,
  }) => {
    await enter(page, '/account');
    const storageState = await page.context().storageState();
    await expectWithin(browser, officeKilobytes, { name, path, ready, site: backOfficeUrl(), storageState });
  });
