import { expect, type Page } from '@playwright/test';
import { menuPages } from './pages.ts';
import { open, signIn, visit } from './people.ts';
import { test } from './story.ts';

const viewer = { email: 'viewer@hengfu.test', password: 'Demo-pass-2026' };

const redirects = [
  ['/', '/dashboard'],
  ['/collection', '/collection/payments'],
  ['/behalfPay', '/behalfPay/transfers'],
  ['/recharge', '/recharge/topup'],
  ['/withdrawal', '/withdrawal/apply'],
  ['/fund', '/fund/fundWater'],
  ['/setting', '/setting/personalData'],
  ['/nowhere', '/404'],
] as const;

/** Collects the errors that the page throws or logs. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

test('every page of the menu opens, and each group leads to its first page', async ({ page }) => {
  test.setTimeout(120_000);
  const errors = collectErrors(page);
  await signIn(page, '/dashboard');
  for (const path of menuPages) {
    await open(page, path);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  for (const [from, to] of redirects) {
    await open(page, from);
    await expect(page).toHaveURL(new RegExp(`${to}$`));
  }
  expect(errors).toEqual([]);
});

test('drawers, filters and dialogs do not violate the content security policy', async ({ page, context }) => {
  const errors = collectErrors(page);
  await signIn(page, '/collection/payments');
  await page.getByRole('row').nth(1).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Created at' }).first().click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.keyboard.press('Escape');
  expect(errors).toEqual([]);
  await context.clearCookies({ name: 'hengfu_session' });
  // A call of the page itself may have led to the dialog already, which covers the button and hides it from screen readers.
  await page.getByRole('button', { name: 'Refresh', includeHidden: true }).dispatchEvent('click');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(errors.filter((text) => !text.includes('401'))).toEqual([]);
});

test('a viewer cannot open a page without permission', async ({ page }) => {
  await signIn(page, '/dashboard', viewer);
  await open(page, '/behalfPay/apply');
  await expect(page).toHaveURL(/\/403$/);
  await expect(page.getByRole('link', { name: 'Send money apply' })).toHaveCount(0);
});

test('a viewer is offered nothing that the server would refuse', async ({ page }) => {
  test.setTimeout(120_000);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${page.url()}: ${response.url()}`);
  });
  await signIn(page, '/dashboard', viewer);
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  const folded = menu.locator('button[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().click();
  const links = await menu.locator('a[href]').all();
  const paths = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
  expect(paths.length).toBeGreaterThan(8);
  const opened: string[] = [];
  for (const path of paths) {
    await visit(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
    for (const step of await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').all())
      expect(paths).toContain(await step.getAttribute('href'));
    await expect(page.getByRole('main').getByRole('button', { name: /^Export/ })).toHaveCount(0);
    await expect(page.getByRole('main').locator('a[href^="/behalfPay/apply"]')).toHaveCount(0);
    // Pages before this one are kept, out of sight.
    const row = page.getByRole('main').locator('tbody tr:visible').first();
    if (/payments|transfers|record|Settlements/.test(path) && (await row.isVisible())) {
      opened.push(path);
      await row.click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expect(page.getByRole('dialog').locator('a[href^="/behalfPay/apply"]')).toHaveCount(0);
    }
  }
  expect(opened.length).toBeGreaterThan(3);
  expect(refused).toEqual([]);
});

test('the language changes at once and survives a reload', async ({ page }) => {
  await signIn(page, '/collection/payments');
  await page.getByRole('button', { name: 'Language' }).click();
  await page
    .getByRole('menuitem', { name: '简体中文' })
    .or(page.getByRole('menuitemradio', { name: '简体中文' }))
    .click();
  await expect(page.getByRole('heading', { name: '交易明细' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: '交易明细' })).toBeVisible();
});

test('a phone has a menu that opens over the page and closes on selection', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, '/dashboard');
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('dialog');
  await menu.getByText('Receive money').click();
  await menu.getByText('Settlements').click();
  await expect(page).toHaveURL(/Settlements$/);
  await expect(menu).toBeHidden();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
