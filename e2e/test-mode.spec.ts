import { expect, type Page } from '@playwright/test';
import { ofSecondTheme, violationsOf } from './axe.ts';
import { newMerchant, newUser, productUrl, signIn, visit } from './people.ts';
import { test } from './story.ts';

const band = (page: Page) => page.getByText('Test mode: nothing here moves real money');
const flask = (page: Page) => page.getByRole('button', { name: 'Test mode', exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

test('a person enters test mode, adds funds, starts over and leaves, and no tab acts in the wrong mode', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const code = await newMerchant('tries', { name: 'Tries' });
  const person = await newUser(code, { role: 'ROOT' });
  await signIn(page, '/fund/fundWater', person);
  await expect(band(page)).toHaveCount(0);
  const left = await context.newPage();
  await left.goto(`${productUrl()}/collection/payments`);
  await expect(flask(left)).toBeVisible();

  await flask(page).click();
  expect(await violationsOf(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Switch to test mode' }).click();
  await expect(band(page)).toBeVisible();
  await expect(page).toHaveTitle(/^TEST · /);
  await expect(page.getByRole('link', { name: 'Top-up' })).toHaveCount(0);
  await expect(left.getByRole('heading', { name: 'You have switched to another merchant' })).toBeVisible();
  expect(await violationsOf(left)).toEqual([]);
  // The dashboard of a new test merchant suggests what can be done in test mode, and no more.
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await expect(page.getByText('two-factor', { exact: false })).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);

  await flask(page).click();
  const amount = dialog(page).getByLabel('Amount in CNY');
  await amount.fill('0');
  await dialog(page).getByRole('button', { name: 'Add test funds' }).click();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await amount.fill('250.00');
  await dialog(page).getByRole('button', { name: 'Add test funds' }).click();
  await expect(page.getByText('The test funds were added.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await visit(page, '/recharge/topup');
  await expect(page.getByRole('heading', { name: 'Not available in test mode' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await visit(page, '/fund/fundWater');
  await expect(page.locator('main')).toContainText('250.00');

  await flask(page).click();
  await dialog(page).getByRole('button', { name: 'Wipe test data' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Wipe test data' }).click();
  await expect(page.getByRole('textbox', { name: 'Login password' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Login password' }).fill(person.password);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
  await visit(page, '/fund/fundWater');
  await expect(band(page)).toBeVisible();
  await expect(page.getByText('No transactions yet.')).toBeVisible();

  await flask(page).click();
  await dialog(page).getByRole('button', { name: 'Back to live mode' }).click();
  await page.waitForURL(/\/dashboard$/);
  await expect(flask(page)).toBeVisible();
  await expect(band(page)).toHaveCount(0);
});

test('the band stays in sight on a phone, in both themes', async ({ page }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await newUser(await newMerchant('phone', { name: 'Phone' }), { role: 'ROOT' });
  await signIn(page, '/collection/payments', person);
  await flask(page).click();
  await dialog(page).getByRole('button', { name: 'Switch to test mode' }).click();
  for (const theme of ['Light theme', 'Dark theme']) {
    if (theme === 'Dark theme') await page.getByRole('button', { name: theme }).click();
    await expect(band(page)).toBeInViewport();
    expect(await violationsOf(page, theme === 'Light theme' ? {} : ofSecondTheme)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});
