import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { demoKey, newMerchant, newUser, open, productUrl, signIn } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const shopWith = (secret: string) => new ShopClient({ base: productUrl(), key: demoKey.id, secret });

test('a developer finds a call by its order, and sees what was sent and replied', async ({ page }) => {
  test.setTimeout(180_000);
  const number = `logged-${Date.now()}`;
  await shopWith(demoKey.secret).create({ out_trade_no: number, amount: '12.00', currency: 'CNY' });
  await signIn(page, `/developers/requests?order_no=${number}`);
  const row = page.getByRole('table').getByRole('row').filter({ hasText: 'POST /openapi/v1/collections' });
  // Calls are written a moment after their reply.
  await expect(async () => {
    await page.reload();
    await expect(row).toHaveCount(1, { timeout: 2000 });
  }).toPass();
  await expect(row).toContainText('Done');
  await row.getByRole('link', { name: 'POST /openapi/v1/collections' }).click();
  const detail = page.getByRole('dialog');
  await expect(detail.getByRole('region', { name: 'Request body' })).toContainText(
    `"out_trade_no": "${number}"`,
  );
  await expect(detail.getByRole('region', { name: 'Reply' })).toContainText('/•••"');
  expect(await violationsOf(page)).toEqual([]);

  await detail.getByRole('link', { name: /^C\d+/ }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Calls about this order' }).click();
  await expect(page).toHaveURL(/\/developers\/requests\?order_no=C\d+/);
});

test('a wrong signature shows the text that was signed', async ({ page }) => {
  const number = `wrong-${Date.now()}`;
  const attempt = shopWith('another secret').create({
    out_trade_no: number,
    amount: '12.00',
    currency: 'CNY',
  });
  await expect(attempt).rejects.toThrow();
  await signIn(page, `/developers/requests?order_no=${number}`);
  const row = page.getByRole('table').getByRole('row').filter({ hasText: 'signature_invalid' });
  await expect(async () => {
    await page.reload();
    await expect(row).toHaveCount(1, { timeout: 2000 });
  }).toPass();
  await row.getByRole('link', { name: 'POST /openapi/v1/collections' }).click();
  const reason = page.getByRole('dialog').getByRole('region', { name: 'Why it was refused' });
  await expect(reason).toContainText('This is the text that we signed');
  await expect(reason).toContainText(/POST\s*\/openapi\/v1\/collections\s*\d{10}/);
  expect(await violationsOf(page)).toEqual([]);
});

test('the request log is not open to somebody who only reads', async ({ page }) => {
  const merchant = await newMerchant('unlogged');
  await signIn(page, '/dashboard', await newUser(merchant, { role: 'MERCHANT_VIEWER' }));
  await open(page, '/developers/requests');
  await expect(page).toHaveURL(/\/403$/);
});
