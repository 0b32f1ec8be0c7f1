import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { open, signIn } from './people.ts';

const viewer = { email: 'viewer@hengfu.test', password: 'Demo-pass-2026' };

/** Every page that the menu leads to, as the specification names them. */
const pages = [
  '/dashboard',
  '/collection/payments',
  '/collection/Settlements',
  '/behalfPay/apply',
  '/behalfPay/transfers',
  '/recharge/topup',
  '/recharge/record',
  '/withdrawal/apply',
  '/withdrawal/record',
  '/fund/fundWater',
  '/fund/dailyReport',
  '/setting/personalData',
  '/setting/accountSecurity',
  '/setting/paymentPassword',
  '/setting/interfaceKey',
  '/setting/ipAddress',
  '/lineExport',
  '/contactUs',
  '/statusPages',
];

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

/** What the page says in its console that it should not. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return faults;
}

test('every page of the menu opens, and each group leads to its first page', async ({ page }) => {
  test.setTimeout(120_000);
  const faults = faultsOf(page);
  await signIn(page);
  for (const path of pages) {
    await open(page, path);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  for (const [from, to] of redirects) {
    await open(page, from);
    await expect(page).toHaveURL(new RegExp(`${to}$`));
  }
  expect(faults).toEqual([]);
});

test('drawers, filters and dialogs break no rule of the content security policy', async ({
  page,
  context,
}) => {
  const faults = faultsOf(page);
  await signIn(page, '/collection/payments');
  await page.getByRole('row').nth(1).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Created at' }).first().click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.keyboard.press('Escape');
  expect(faults).toEqual([]);
  await context.clearCookies({ name: 'hengfu_session' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(faults.filter((text) => !text.includes('401'))).toEqual([]);
});

test('nobody’s page has a fault that axe finds', async ({ page }) => {
  test.setTimeout(180_000);
  const check = async (name: string) => {
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
      .analyze();
    expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  };
  await open(page, '/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await check('/login');
  await signIn(page, '/dashboard');
  for (const path of [
    '/dashboard',
    '/collection/payments',
    '/collection/Settlements',
    '/fund/fundWater',
    '/404',
    '/403',
  ]) {
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
    await check(path);
  }
});

test('who may only read gets no page that is not theirs', async ({ page }) => {
  await signIn(page, '/dashboard', viewer);
  await open(page, '/behalfPay/apply');
  await expect(page).toHaveURL(/\/403$/);
  await expect(page.getByRole('link', { name: 'Send money apply' })).toHaveCount(0);
});

test('the language changes at once and stays', async ({ page }) => {
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

test('a phone has a menu that opens over the page and closes on choosing', async ({ page }) => {
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
