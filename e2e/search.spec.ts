import { expect, type Page } from '@playwright/test';
import { ofSecondTheme, violationsOf } from './axe.ts';
import { open, signIn } from './people.ts';
import { test } from './story.ts';

const viewer = { email: 'viewer@hengfu.test', password: 'Demo-pass-2026' };

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const options = (page: Page) => palette(page).getByRole('option');
const active = (page: Page) => palette(page).getByRole('option', { selected: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Signs in, and waits for the shell, which handles the shortcuts. */
async function arrive(page: Page, path: string, user?: typeof viewer): Promise<void> {
  await signIn(page, path, user);
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
}

/** Returns the number and payee of the first payout in the list. */
async function firstPayout(page: Page): Promise<{ number: string; payee: string }> {
  const row = page.getByRole('row').nth(1);
  const text = (await row.textContent()) ?? '';
  const number = /P\d{21}/.exec(text)?.[0] ?? '';
  const payee = /\p{Script=Han}{2,4}/u.exec(text)?.[0] ?? '';
  return { number, payee };
}

test('finds a page, an order and a payee by keyboard, and restores the focus', async ({ page }) => {
  await arrive(page, '/behalfPay/transfers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const { number, payee } = await firstPayout(page);
  await page.getByRole('button', { name: 'Refresh' }).focus();
  await openPalette(page);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeFocused();

  await openPalette(page);
  await page.keyboard.type('daily');
  await expect(active(page)).toHaveText(/Daily reports/);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Daily reports')).toBeVisible();

  await openPalette(page);
  await page.keyboard.type(number.toLowerCase());
  await expect(active(page)).toContainText(number);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/behalfPay/transfers\\?open=${number}`));
  await expect(page.getByRole('dialog', { name: number })).toBeVisible();

  // It also opens above a detail; what was opened is listed as recent, and found by its payee.
  await openPalette(page);
  await expect(active(page)).toContainText(number);
  await page.keyboard.type(payee);
  await expect(options(page).first()).toContainText(payee);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole('dialog', { name: number })).toBeVisible();
});

test('moves among the options with arrows, Home and End, and opens a tab with Control+Enter', async ({
  page,
  context,
}) => {
  await arrive(page, '/dashboard');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(active(page)).toHaveText(/Dashboard/);
  await page.keyboard.press('End');
  await expect(active(page)).toHaveText('Sign out');
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toHaveText(/Dashboard/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toHaveText(/Transactions/);
  const tab = context.waitForEvent('page');
  await page.keyboard.press('Control+Enter');
  await expect(heading(await tab, 'Transactions')).toBeVisible();
  await expect(page).toHaveURL(/dashboard$/);
});

test('finds pages in the reader’s language, in English, and without diacritics', async ({ page }) => {
  await arrive(page, '/dashboard');
  for (const [language, name, words, title] of [
    ['zh-cn', '搜索', '日报', '日报'],
    ['zh-cn', '搜索', 'daily', '日报'],
    ['vi', 'Tìm kiếm', 'bao cao', 'Báo cáo'],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('language', value), language);
    await open(page, '/dashboard', language);
    await expect(page.getByRole('banner').getByRole('button', { name })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name })).toBeFocused();
    await page.keyboard.type(words);
    await expect(page.getByRole('option').first()).toContainText(title);
    await page.keyboard.press('Escape');
  }
});

test('says when nothing is found, and retries a failed search', async ({ page }) => {
  await arrive(page, '/dashboard');
  await openPalette(page);
  await page.keyboard.type('no such thing');
  await expect(palette(page).getByText('No matching records.')).toBeVisible();
  await expect(palette(page).getByText(/wallet address/)).toBeVisible();
  await page.route('**/api/merchant/search**', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.keyboard.type(' at all');
  await expect(palette(page).getByRole('alert')).toBeVisible();
  await page.unroute('**/api/merchant/search**');
  await palette(page).getByRole('button', { name: 'Try again' }).click();
  await expect(palette(page).getByText('No matching records.')).toBeVisible();
});

test('drops the reply to an earlier text, and shows that a search is slow', async ({ page }) => {
  await arrive(page, '/behalfPay/transfers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const { number, payee } = await firstPayout(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/merchant/search**', async (route) => {
    if (route.request().url().includes(number)) await held;
    await route.continue().catch(() => {});
  });
  await openPalette(page);
  await page.keyboard.insertText(number);
  await expect(palette(page).getByText('Searching…')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(payee);
  await expect(options(page).first()).toContainText(payee);
  release();
  await expect(palette(page).getByText('Searching…')).toHaveCount(0);
  await expect(options(page).first()).toContainText(payee);
});

test('opens pages, filters and help with single keys, except while a field has the focus', async ({
  page,
}) => {
  await arrive(page, '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page).toHaveURL(/\/collection\/payments/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('/');
  const filter = page.getByRole('search').getByRole('textbox').first();
  await expect(filter).toBeFocused();
  await page.keyboard.type('gd?n');
  await expect(filter).toHaveValue('gd?n');
  await filter.clear();
  await filter.blur();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/behalfPay\/apply/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Daily reports');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/\/behalfPay\/apply/);

  // Switched off, also after a reload; Control+K still opens the palette.
  await help.getByRole('switch').press('Space');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
  for (const key of ['?', 'g', 'd', '/']) await page.keyboard.press(key);
  await openPalette(page);
  await expect(page).toHaveURL(/\/behalfPay\/apply/);
  await page.keyboard.type('shortcuts');
  await page.keyboard.press('Enter');
  await expect(help.getByRole('switch')).not.toBeChecked();
  await help.getByRole('switch').press('Space');
});

test('offers a viewer only what a viewer may do', async ({ page }) => {
  await arrive(page, '/dashboard', viewer);
  await openPalette(page);
  await expect(options(page).filter({ hasText: 'Transactions' }).first()).toBeVisible();
  for (const name of ['New payout', 'Send money apply', 'Top up', 'Access key'])
    await expect(options(page).filter({ hasText: new RegExp(`^${name}`) })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toBeVisible();
  await expect(help.getByText('New payout')).toHaveCount(0);
  await expect(page).toHaveURL(/\/dashboard/);
});

test('signing out clears the recent entries', async ({ page }) => {
  await arrive(page, '/behalfPay/transfers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const { number } = await firstPayout(page);
  await openPalette(page);
  await page.keyboard.insertText(number);
  await expect(active(page)).toContainText(number);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: number })).toBeVisible();
  const storedRecent = () => page.evaluate(() => localStorage.getItem('recentlyFound'));
  expect(await storedRecent()).toContain(number);
  await openPalette(page);
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/login/);
  expect(await storedRecent()).toBeNull();
});

test('palette and help have no axe violations in either theme, on a desktop and on a phone', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(120_000);
  await arrive(page, '/behalfPay/transfers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const { payee } = await firstPayout(page);
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => localStorage.setItem('theme', value), theme);
    const check = theme === 'light' ? {} : ofSecondTheme;
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.reload();
      await page.getByRole('button', { name: 'Search' }).click();
      expect(await violationsOf(page, check), `palette ${theme} ${width}`).toEqual([]);
      await page.keyboard.type(payee);
      await expect(options(page).first()).toContainText(payee);
      expect(await violationsOf(page, check), `found ${theme} ${width}`).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      expect(await violationsOf(page, check), `help ${theme} ${width}`).toEqual([]);
    }
  }
});
