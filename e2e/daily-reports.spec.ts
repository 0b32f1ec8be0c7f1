import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { choose } from './controls.ts';
import { open, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

/** Expects a list with this count and total amount. A busy server may omit both, so the list is reloaded. */
async function expectListOf(page: Page, count: string, amount: string): Promise<void> {
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(async () => {
    const rowCount = page.getByText(new RegExp(`^${count} rows?$`));
    if (!(await rowCount.isVisible())) await page.reload();
    await expect(rowCount).toBeVisible({ timeout: 5000 });
    await expect(page.getByText(`Total amount: ${amount}`)).toBeVisible();
  }).toPass({ timeout: 45_000 });
}

test('the figures of a day link to exactly the orders behind them, at any offset', async ({ page }) => {
  await signIn(page, '/fund/dailyReport');
  const table = page.getByRole('region', { name: 'Daily reports' }).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(33);
  await choose(page, 'UTC offset', 'UTC-03:30');
  await expect(page).toHaveURL(/offset=-03:30/);
  await page.getByRole('button', { name: '7 days' }).click();
  await expect(table.getByRole('row')).toHaveCount(10);
  await expect(table.getByRole('row').nth(3)).toContainText('-03:30');
  const row = table.getByRole('row').nth(4);
  const amount = await row.getByRole('cell').nth(0).innerText();
  const count = await row.getByRole('cell').nth(1).innerText();
  await row.getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible();
  await expectListOf(page, count, amount);
});

test('a year is shown by month, and an expanded month by day', async ({ page }) => {
  await signIn(page, '/fund/dailyReport?offset=%2B08:00');
  await page.getByRole('button', { name: '1 year' }).click();
  await expect(page.getByRole('region', { name: 'Collected and paid out by month' })).toBeVisible();
  const rows = page.getByRole('region', { name: 'Daily reports' }).getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(16);
  // The last whole month.
  const month = rows.nth(3);
  const count = Number((await month.getByRole('cell').nth(1).innerText()).replace(',', ''));
  expect(count).toBeGreaterThan(0);
  const amount = await month.getByRole('cell').nth(0).innerText();
  await month.getByRole('button').click();
  const days = page.locator('[data-of=month]');
  await expect(days.nth(20)).toBeVisible();
  await expect(rows).toHaveCount(16 + (await days.count()));
  const counts = await days.locator('td:nth-of-type(2)').allInnerTexts();
  expect(counts.reduce((sum, text) => sum + Number(text.replace(',', '')), 0)).toBe(count);
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await month.getByRole('button').click();
  await expect(rows).toHaveCount(16);
  await page.setViewportSize({ width: 1440, height: 900 });
  await month.getByRole('link').first().click();
  await expectListOf(page, count.toLocaleString('en'), amount);
});

test('orders that fall on different days at two offsets are listed', async ({ page }) => {
  await signIn(page, '/fund/dailyReport?offset=%2B08:00');
  await choose(page, 'Compare with', 'UTC+00:00');
  const section = page.getByRole('region', { name: 'Orders that fall on a different date' });
  await expect(
    section.getByText('These orders fall on different dates in UTC+08:00 and UTC+00:00.'),
  ).toBeVisible();
  const link = section.getByRole('row').nth(2).getByRole('link').first();
  const [count = '', amount = ''] = (await link.innerText()).split(' · ');
  await link.click();
  await expectListOf(page, count, amount);
});

test('an invalid URL still shows a report', async ({ page }) => {
  await signIn(page, '/fund/dailyReport?offset=%2B99:00&from=x&to=2026-13-45');
  await expect(page.getByLabel('UTC offset')).toHaveText('UTC+08:00');
  await expect(page.getByRole('region', { name: 'Daily reports' }).getByRole('row')).toHaveCount(33);
  expect(await violationsOf(page)).toEqual([]);
  await page.goto(`${productUrl()}/fund/dailyReport?from=1926-01-01&to=2026-01-01`);
  await expect(page.getByText('A report can span at most 366 days.')).toBeVisible();
});

for (const [language, title, total] of [
  ['zh-cn', '日报表', '合计'],
  ['vi', 'Báo cáo ngày', 'Tổng cộng'],
] as const) {
  test(`the report is shown in ${language}`, async ({ page }) => {
    await open(page, '/fund/dailyReport', language);
    await page.locator('#email').fill('demo@hengfu.test');
    await page.locator('#password').fill('Demo-pass-2026');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect(page.getByRole('rowheader', { name: total })).toBeVisible();
  });
}

test('a report is saved as a view and restored', async ({ page }) => {
  await signIn(page, '/fund/dailyReport?offset=%2B05:30&from=2026-11-01&to=2026-11-05');
  const name = `India ${Date.now()}`;
  await page.getByRole('button', { name: 'Views' }).click();
  const box = page.getByRole('dialog', { name: 'Views' });
  await box.getByLabel('View name').fill(name);
  await box.getByRole('button', { name: 'Save this view' }).click();
  await expect(box.getByRole('button', { name, exact: true })).toBeVisible();
  await page.goto(`${productUrl()}/fund/dailyReport`);
  await page.getByRole('button', { name: 'Views' }).click();
  await box.getByRole('button', { name, exact: true }).click();
  await expect(page.getByLabel('UTC offset')).toHaveText('UTC+05:30');
  await expect(page.getByLabel('Start date')).toHaveText('Nov 01, 2026');
});
