import { expect, type Page } from '@playwright/test';
import { ofSecondTheme, violationsOf } from './axe.ts';
import { open, signIn } from './people.ts';
import { test } from './story.ts';

const mainMenu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });
/** The open box of a group, which its button names. */
const group = (page: Page, name: string) => page.getByRole('navigation', { name, exact: true });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Display settings' });

async function openPanel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Display settings' }).click();
  await expect(panel(page)).toBeVisible();
}

test.describe('the layout', () => {
  test('top shows the groups in the bar, each with its pages below', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, '/collection/payments');
    await openPanel(page);
    await panel(page).getByText('Top', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Expand sidebar' })).toHaveCount(0);
    await mainMenu(page).getByRole('button', { name: 'Funds' }).click();
    await group(page, 'Funds').getByRole('link', { name: 'Daily reports' }).click();
    await expect(page).toHaveURL(/dailyReport/);

    // Groups that do not fit are listed under "More".
    await page.setViewportSize({ width: 1000, height: 800 });
    await mainMenu(page).getByRole('button', { name: 'More' }).click();
    await group(page, 'More').getByRole('link', { name: 'Exports' }).click();
    await expect(page).toHaveURL(/lineExport/);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test('mix shows the groups in the bar and the pages of the active one on the left', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, '/dashboard');
    await page.evaluate(() => {
      localStorage.setItem('layout', 'mix');
      localStorage.setItem('sidebarStatus', 'opened');
    });
    await page.reload();
    await mainMenu(page).getByRole('link', { name: 'Funds' }).click();
    await expect(page).toHaveURL(/fundWater/);
    expect(await page.evaluate(() => localStorage.getItem('activeTop'))).toBe('/fund');
    const pages = page.getByRole('navigation', { name: 'Funds' });
    await expect(page.getByRole('link', { name: 'Settlements', exact: true })).toHaveCount(0);
    await pages.getByRole('link', { name: 'Daily reports' }).click();
    await expect(page).toHaveURL(/dailyReport/);
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await pages.getByRole('button', { name: 'Funds' }).click();
    await pages.getByRole('link', { name: 'Transactions' }).click();
    await expect(page).toHaveURL(/fundWater/);
  });

  test('keeps a half-filled form while it changes', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, '/behalfPay/apply');
    await page.getByLabel('Payment amount').fill('123.45');
    await openPanel(page);
    for (const name of ['Top', 'Mixed', 'Left']) {
      await panel(page).getByText(name, { exact: true }).click();
      await expect(page.getByLabel('Payment amount')).toHaveValue('123.45');
    }
  });
});

test('settings apply at once and survive a reload', async ({ page }) => {
  await signIn(page, '/dashboard');
  await openPanel(page);
  const settings = panel(page);
  await settings.getByText('Dark', { exact: true }).click();
  await settings.getByRole('radio', { name: '#2E9E5B' }).check();
  await settings.getByRole('switch', { name: 'Tabs for open pages' }).uncheck();
  await settings.getByRole('switch', { name: 'Fixed header' }).check();
  await settings.getByRole('switch', { name: 'Sidebar logo' }).uncheck();
  await settings.getByRole('switch', { name: 'Watermark' }).check();
  await expect(page.locator('[data-text^="Demo"], [data-text*="@"]')).toBeAttached();
  await settings.getByLabel('Watermark text').fill('财务部 <b>7</b>');
  const check = async () => {
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.getByRole('navigation', { name: 'Open pages' })).toHaveCount(0);
    await expect(page.locator('[data-text="财务部 <b>7</b>"]')).toHaveCSS(
      'background-image',
      /^url\("data:image/,
    );
    await expect(page.getByRole('link', { name: /to the dashboard/ })).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.style.getPropertyValue('--accent'))).not.toBe(
      '',
    );
  };
  await check();
  await page.reload();
  await check();
  await openPanel(page);
  await panel(page).getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  // The panel is modal, so nothing behind it has a role.
  await expect(page.locator('nav[aria-label="Open pages"]')).toBeAttached();
  await expect(page.locator('[data-text]')).toHaveCount(0);
});

test('the theme follows the system if that is chosen, at once and from the first paint', async ({ page }) => {
  await signIn(page, '/dashboard');
  await openPanel(page);
  await panel(page).getByText('System', { exact: true }).click();
  const root = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.reload({ waitUntil: 'commit' });
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).toHaveAttribute('data-theme', 'light');
});

test('the size setting changes the height of controls', async ({ page }) => {
  await signIn(page, '/collection/payments');
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
  const heightOf = async () => (await refresh.boundingBox())?.height;
  expect(await heightOf()).toBe(32);
  for (const [size, height] of [
    ['Large', 40],
    ['Small', 26],
  ] as const) {
    await page.getByRole('button', { name: 'Size', exact: true }).click();
    await page.getByRole('menuitemradio', { name: size }).click();
    await expect.poll(heightOf).toBe(height);
  }
  await page.reload();
  await expect.poll(heightOf).toBe(26);
});

test('the page opens even if every stored setting is invalid', async ({ page }) => {
  await open(page, '/login');
  await page.evaluate(() => {
    const names = ['device', 'size', 'sidebarStatus', 'activeTop', 'layout', 'tagsView', 'fixedHeader'];
    const more = ['sidebarLogo', 'watermark', 'watermarkContent', 'theme', 'themeColor', 'signedIn'];
    for (const name of [...names, ...more]) localStorage.setItem(name, '{"__proto__":[1e999]}<x>\u0000');
  });
  await signIn(page, '/collection/payments');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Open pages' })).toBeVisible();
});

for (const theme of ['light', 'dark'] as const)
  test(`the panel and every layout have no axe violations, ${theme}`, { tag: '@long' }, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.addInitScript((value) => localStorage.setItem('theme', value), theme);
    await signIn(page, '/collection/payments');
    const check = theme === 'light' ? {} : ofSecondTheme;
    for (const layout of ['left', 'top', 'mix']) {
      await page.evaluate((value) => localStorage.setItem('layout', value), layout);
      await page.reload();
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      await openPanel(page);
      await page.waitForTimeout(300);
      expect(await violationsOf(page, check), layout).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await violationsOf(page, check), layout).toEqual([]);
    }
  });

test('a phone has the settings in the account menu, and a drawer in every layout', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem('layout', 'mix'));
  await signIn(page, '/dashboard');
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Display settings' }).click();
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Main menu' }).getByText('Receive money')).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
