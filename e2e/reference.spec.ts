import { expect, type Page } from '@playwright/test';
import { ofSecondTheme, violationsOf } from './axe.ts';
import { newMerchant, newUser, open, productUrl, signIn, visit } from './people.ts';
import { test } from './story.ts';

const main = (page: Page) => page.getByRole('main');
const reply = (page: Page) => main(page).getByRole('region', { name: 'Reply', exact: true });
const send = (page: Page) => main(page).getByRole('button', { name: 'Send', exact: true }).click();
const openCall = (page: Page, path: string) =>
  main(page)
    .locator('details > summary')
    .filter({ has: page.getByText(path, { exact: true }) })
    .filter({ hasText: 'POST' })
    .click();

test('a developer comes from the documents, creates a test collection, cancels it, and finds both in the log', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await signIn(page, '/dashboard');
  await page.goto(`${productUrl()}/api/docs`);
  await page.getByRole('link', { name: 'Send the calls of the Open API in test mode' }).click();
  await openCall(page, '/openapi/v1/collections');
  // In live mode nothing can be sent.
  await expect(main(page).getByRole('button', { name: 'Send', exact: true })).toHaveCount(0);
  await expect(main(page).getByRole('region', { name: 'Body' })).toContainText('"SO-20261120-0001"');
  await main(page).getByRole('button', { name: 'Switch to test mode' }).click();

  // The call that was open still is.
  await expect(main(page).getByLabel('Access key')).toHaveValue('ak_test_demo_hengfu');
  const body = main(page).getByLabel('Body');
  const number = /"out_trade_no": "(TEST-\d+)"/.exec(await body.inputValue())?.[1] ?? '';
  expect(number).not.toBe('');
  await send(page);
  await expect(main(page).getByText(/HTTP 201/)).toBeVisible();
  await expect(reply(page)).toContainText(`"out_trade_no": "${number}"`);
  await expect(main(page).getByRole('region', { name: 'Text that was signed' })).toContainText(
    /POST\s*\/openapi\/v1\/collections\s*\d{10}\s*[0-9a-f]{32}\s*[0-9a-f]{64}/,
  );
  await expect(main(page).getByRole('region', { name: 'Headers that were sent' })).toContainText(
    /X-Signature: [0-9a-f]{64}/,
  );
  expect(await violationsOf(page)).toEqual([]);

  // The page shows a refusal as the service replies it.
  await body.fill('{"amount": "1.00"}');
  await send(page);
  await expect(main(page).getByText(/HTTP 422/)).toBeVisible();
  await expect(reply(page)).toContainText('"validation_failed"');

  await openCall(page, '/openapi/v1/collections/{trade_no}/cancel');
  await send(page);
  await expect(reply(page)).toContainText(`"out_trade_no": "${number}"`);
  await expect(reply(page)).toContainText('"status": "cancelled"');

  await main(page).getByRole('link', { name: 'Open in the request log' }).click();
  const entry = page.getByRole('dialog');
  await expect(async () => {
    await page.reload();
    await expect(entry.getByText(number, { exact: true })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await visit(page, `/collection/payments?out_trade_no=${number}`);
  await expect(main(page).getByRole('table')).toContainText(number);
});

test('the page is readable on a phone, in both themes', async ({ page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, '/developers/reference?call=postPayouts');
  await main(page).getByRole('button', { name: 'Switch to test mode' }).click();
  await send(page);
  await expect(reply(page)).toBeVisible();
  for (const theme of ['Light theme', 'Dark theme']) {
    if (theme === 'Dark theme') await page.getByRole('button', { name: theme }).click();
    expect(await violationsOf(page, theme === 'Light theme' ? {} : ofSecondTheme)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});

test('a merchant without a test key is led to the keys, and somebody who only reads sees nothing of it', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const merchant = await newMerchant('keyless');
  await signIn(page, '/developers/reference', await newUser(merchant, { role: 'DEVELOPER' }));
  await main(page).getByRole('button', { name: 'Switch to test mode' }).click();
  await expect(page.getByText('There is no active test key yet.')).toBeVisible();
  await main(page).getByRole('link', { name: 'All access keys' }).click();
  await expect(page).toHaveURL(/\/setting\/keys$/);
  await page.context().clearCookies();
  await signIn(page, '/dashboard', await newUser(merchant, { role: 'MERCHANT_VIEWER' }));
  await open(page, '/developers/reference');
  await expect(page).toHaveURL(/\/403$/);
});
