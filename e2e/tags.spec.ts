import { expect, type Page } from '@playwright/test';
import { demo, demoKey, open, productUrl, signIn } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const strip = (page: Page) => page.getByRole('navigation', { name: 'Open pages' });
const tab = (page: Page, name: string) => strip(page).getByRole('link', { name, exact: true });
const visit = (page: Page, path: string) =>
  page.locator(`nav[aria-label="Main menu"] a[href^="${path}"]`).click();

/** The tab of /collection/payments; another page has the same title, so the group precedes it. */
const transactions = 'Receive money · Transactions';

/** Opens pages from the menu, in this order. */
async function openPages(page: Page, ...paths: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  for (const name of ['Receive money', 'Send money', 'Funds']) {
    const group = page.getByRole('button', { name, exact: true });
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
  }
  for (const path of paths) {
    await visit(page, path);
    await page.waitForURL(`**${path}*`);
    // A page that is left before it has arrived gets no tab.
    await page.waitForFunction((pathname) => {
      const tabs = document.querySelector('nav[aria-label="Open pages"]');
      return !tabs || [...tabs.querySelectorAll('a')].some((link) => link.pathname === pathname);
    }, path);
  }
}

test.describe('tabs', () => {
  test('list the open pages, and can be closed', async ({ page }) => {
    await signIn(page, '/dashboard');
    await openPages(page, '/collection/payments', '/collection/Settlements', '/fund/dailyReport');
    await expect(strip(page).getByRole('link')).toHaveText([
      'Dashboard',
      transactions,
      'Settlements',
      'Daily reports',
    ]);
    await expect(strip(page).getByRole('button', { name: 'Close Dashboard' })).toHaveCount(0);

    await strip(page).getByRole('button', { name: 'Close Daily reports' }).click();
    await expect(page).toHaveURL(/Settlements$/);
    await tab(page, transactions).click({ button: 'middle' });
    await expect(tab(page, transactions)).toHaveCount(0);
    await expect(page).toHaveURL(/Settlements$/);
    expect(page.context().pages()).toHaveLength(1);
    await tab(page, 'Settlements').press('Delete');
    await expect(page).toHaveURL(/dashboard$/);
    await expect(strip(page).getByRole('link')).toHaveText(['Dashboard']);
  });

  test('of two pages with the same title are told apart', async ({ page }) => {
    await signIn(page, '/dashboard');
    await openPages(page, '/collection/payments', '/fund/fundWater');
    await expect(strip(page).getByRole('link')).toHaveText([
      'Dashboard',
      transactions,
      'Funds · Transactions',
    ]);
    await expect(page).toHaveTitle(/^Funds · Transactions · /);
    await strip(page).getByRole('button', { name: 'Close Funds · Transactions' }).click();
    await expect(page).toHaveTitle(/^Receive money · Transactions · /);
  });

  test('have a context menu with the commands that apply', async ({ page }) => {
    await signIn(page, '/dashboard');
    await openPages(page, '/collection/payments', '/collection/Settlements', '/fund/dailyReport');
    const menu = page.getByRole('menu', { name: 'Page menu' });
    await tab(page, 'Dashboard').click({ button: 'right' });
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Refresh',
      'Close others',
      'Close tabs to the right',
      'Close all',
    ]);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();

    await tab(page, 'Settlements').press('ContextMenu');
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Refresh',
      'Close',
      'Close others',
      'Close tabs to the left',
      'Close tabs to the right',
      'Close all',
    ]);
    await menu.getByRole('menuitem', { name: 'Close others' }).click();
    await expect(page).toHaveURL(/Settlements$/);
    await expect(strip(page).getByRole('link')).toHaveText(['Dashboard', 'Settlements']);
  });

  test('survive a reload with their URLs, and are cleared on sign-out', async ({ page }) => {
    await signIn(page, '/collection/payments?status=paid');
    await openPages(page, '/fund/dailyReport');
    await page.reload();
    await expect(strip(page).getByRole('link')).toHaveText(['Dashboard', transactions, 'Daily reports']);
    await tab(page, transactions).click();
    await expect(page).toHaveURL(/payments\?status=paid$/);

    await page.evaluate(() => {
      for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, '[{"path":"/nowhere"},{');
    });
    await page.reload();
    await expect(strip(page).getByRole('link')).toHaveText(['Dashboard', transactions]);

    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/login/);
    await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('payments');
  });
});

test.describe('a page with a tab', () => {
  test('keeps its half-filled form, filters and scroll positions', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 520 });
    // A header that scrolls away could only be reached from the page's top.
    await page.addInitScript(() => localStorage.setItem('fixedHeader', 'true'));
    await signIn(page, '/behalfPay/apply');
    // The opening menu and the loading totals shift the page.
    await openPages(page);
    await page.getByLabel('Payment amount').fill('123.45');
    await expect(page.getByText('¥123.45')).toBeVisible();
    const formAt = await page.evaluate(() => scrollY);
    await visit(page, '/collection/payments');
    await page.waitForURL('**/collection/payments*');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await expect(page.getByRole('row').nth(5)).toBeVisible();
    const box = page
      .locator('main section')
      .filter({ has: page.getByRole('table') })
      .last();
    await box.evaluate((element) => {
      element.scrollTop = 150;
    });
    expect(await box.evaluate((element) => element.scrollTop)).toBe(150);
    await page.evaluate(() => scrollTo(0, 120));
    expect(await page.evaluate(() => scrollY)).toBe(120);

    await tab(page, 'Send money apply').click();
    await expect(page.getByLabel('Payment amount')).toHaveValue('123.45');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(formAt);
    await tab(page, transactions).click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(120);
    expect(await box.evaluate((element) => element.scrollTop)).toBe(150);
    await visit(page, '/behalfPay/apply');
    await expect(page.getByLabel('Payment amount')).toHaveValue('123.45');

    // Refreshing remounts it; closing discards it.
    await tab(page, 'Send money apply').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Refresh' }).click();
    await expect(page).toHaveURL(/behalfPay\/apply$/);
    await expect(page.getByLabel('Payment amount')).toHaveValue('');
    await page.getByLabel('Payment amount').fill('77');
    await strip(page).getByRole('button', { name: 'Close Send money apply' }).click();
    await visit(page, '/behalfPay/apply');
    await expect(page.getByLabel('Payment amount')).toHaveValue('');
  });

  test('does not react to the search parameters of the page on screen', async ({ page }) => {
    await signIn(page, '/collection/payments?status=paid');
    await openPages(page, '/behalfPay/transfers');
    const rows = page.getByRole('row');
    await expect(rows.nth(1)).toBeVisible();
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/merchant/collections')) requested.push(request.url());
    });
    await page.goto(`${new URL(page.url()).origin}/behalfPay/transfers?status=rejected`);
    await expect(rows.first()).toBeVisible();
    expect(requested.filter((url) => url.includes('rejected'))).toEqual([]);
    await tab(page, transactions).click();
    await expect(page).toHaveURL(/payments\?status=paid$/);
  });

  test('shows what has changed while it was hidden', async ({ page }) => {
    const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
    await signIn(page, '/collection/payments');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await openPages(page, '/fund/dailyReport');
    const out_trade_no = `AWAY-${Date.now()}`;
    await shop.create({ out_trade_no, amount: '7.00', currency: 'CNY', subject: 'Tea' });
    // Longer than a reply may take, shorter than data counts as fresh.
    await page.waitForTimeout(8000);
    await tab(page, transactions).click();
    await expect(page.getByRole('row').filter({ hasText: out_trade_no })).toBeVisible({ timeout: 5000 });
  });

  test('hides its open detail with it, and shows it again', async ({ page }) => {
    await signIn(page, '/collection/payments?settlementStatus=settled');
    await page.getByRole('row').nth(1).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('link', { name: /^S\d/ }).click();
    await page.waitForURL(/Settlements/);
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.locator('main h1').filter({ hasText: 'Settlements' })).toBeAttached();
    await page.goBack();
    await page.waitForURL(/payments/);
    await expect(page.getByRole('dialog')).toHaveCount(1);
  });

  test('is remounted if it would keep a password', async ({ page }) => {
    await signIn(page, '/setting/accountSecurity', demo);
    await openPages(page, '/collection/payments');
    await expect(page.locator('main input[type="password"]')).toHaveCount(0);
  });
});

test('the page whose menu entry the mouse rests on is rendered ahead, unseen, and current once it is opened', async ({
  page,
}) => {
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  await signIn(page, '/dashboard');
  await openPages(page);
  const entry = page.locator('nav[aria-label="Main menu"] a[href^="/collection/payments"]');
  await entry.hover();
  const rows = page.locator('main tbody tr').filter({ hasText: /C\d{15}/ });
  await expect(rows.first()).toBeAttached();
  await expect(rows.first()).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await expect(strip(page).getByRole('link')).toHaveText(['Dashboard']);

  const out_trade_no = `AHEAD-${Date.now()}`;
  await shop.create({ out_trade_no, amount: '7.00', currency: 'CNY', subject: 'Tea' });
  await page.waitForTimeout(2000);
  await entry.click();
  await expect(page.getByRole('heading', { name: 'Transactions', level: 1 })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: out_trade_no })).toBeVisible({ timeout: 5000 });
  await expect(strip(page).getByRole('link')).toHaveText(['Dashboard', transactions]);

  // Another entry: the first page has a tab and stays, the guess that was not followed goes.
  await page.locator('nav[aria-label="Main menu"] a[href^="/collection/Settlements"]').hover();
  await expect(page.locator('main h1').filter({ hasText: 'Settlements' })).toBeAttached();
  await page.locator('nav[aria-label="Main menu"] a[href^="/fund/dailyReport"]').click();
  await expect(page.getByRole('heading', { name: 'Daily reports', level: 1 })).toBeVisible();
  await expect(page.locator('main h1').filter({ hasText: 'Settlements' })).toHaveCount(0);
});

for (const [path, title] of [
  ['/approvals', 'Approvals'],
  ['/developers/reference', 'API reference'],
] as const)
  test(`${title} opens after the mouse has rested on its menu entry, and again after it was left`, async ({
    page,
  }) => {
    await signIn(page, '/dashboard');
    await openPages(page);
    const developers = page.getByRole('button', { name: 'Developers', exact: true });
    if ((await developers.getAttribute('aria-expanded')) === 'false') await developers.click();
    const entry = page.locator(`nav[aria-label="Main menu"] a[href^="${path}"]`);
    await entry.hover();
    await expect(page.locator('main h1').filter({ hasText: title })).toBeAttached();
    const heading = page.getByRole('heading', { name: title, level: 1 });
    for (const from of ['/collection/payments', '/fund/dailyReport']) {
      await entry.click();
      await expect(heading).toBeVisible();
      await visit(page, from);
      await expect(heading).toBeHidden();
    }
    await entry.click();
    await expect(heading).toBeVisible();
    await expect(page.getByText('This page could not be displayed')).toHaveCount(0);
  });

test('a filter that was typed but not applied stays with its page when the browser goes back', async ({
  page,
}) => {
  await signIn(page, '/behalfPay/transfers');
  await openPages(page, '/collection/payments');
  await page.getByRole('textbox', { name: 'Merchant order number' }).pressSequentially('NOT-SENT');
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(/behalfPay\/transfers/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.waitForTimeout(500);
  expect(new URL(page.url()).search).toBe('');
});

test('the page of a missing permission opens without a session, too', async ({ page }) => {
  await open(page, '/403');
  await expect(page.getByText('This page could not be displayed')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'No permission' })).toBeVisible();
});

test('without tabs no page is kept', async ({ page }) => {
  await open(page, '/login');
  await page.evaluate(() => localStorage.setItem('tagsView', 'false'));
  await signIn(page, '/behalfPay/apply');
  await expect(strip(page)).toHaveCount(0);
  await page.getByLabel('Payment amount').fill('123.45');
  await openPages(page, '/collection/payments');
  await visit(page, '/behalfPay/apply');
  await expect(page.getByLabel('Payment amount')).toHaveValue('');
});
