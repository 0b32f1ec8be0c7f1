import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { demo, demoKey, newMerchant, newUser, password, productUrl, signIn } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

test('a whitelist that allows the whole internet is saved only after a second confirmation', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const merchant = await newMerchant('open');
  await signIn(page, '/setting/ipAddress', await newUser(merchant));
  const list = page.getByRole('textbox', { name: 'IP whitelist' });
  await list.fill('203.0.113.7\n0.0.0.0/0');
  await page.getByRole('button', { name: 'Save' }).click();
  const passwordDialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await passwordDialog.getByLabel('Login password').fill(password);
  await passwordDialog.getByRole('button', { name: 'Confirm' }).click();

  const question = page.getByRole('dialog', { name: 'Allow this many addresses?' });
  await expect(question.getByText('a very large part of the internet: 0.0.0.0/0.')).toBeVisible();
  await expect(question.getByText('If your key is ever stolen')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  // Nothing was saved, and the input is kept.
  await expect(list).toHaveValue('203.0.113.7\n0.0.0.0/0');
  await page.reload();
  await expect(list).toHaveValue('');

  await list.fill('203.0.113.7\n0.0.0.0/0');
  await page.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await expect(page.getByText('a very large part of the internet')).toHaveCount(0);
  await page.reload();
  await expect(list).toHaveValue('203.0.113.7\n0.0.0.0/0');

  // The saved list is read late. What is typed before it arrives stays.
  await page.route('**/api/merchant/ip-address', async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  // A list of a few addresses needs no second confirmation.
  await list.fill('203.0.113.7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await expect(question).toHaveCount(0);

  // An empty list would stop the merchant's systems, so it is refused.
  const saved = page.waitForResponse(
    (reply) => reply.url().endsWith('/ip-address') && reply.request().method() === 'GET',
  );
  await list.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await saved;
  // The page has drawn the reply by then.
  await page.waitForTimeout(300);
  await expect(page.getByText('Please enter IP whitelist.')).toBeVisible();
  await expect(list).toHaveValue('');
  await page.reload();
  await expect(list).toHaveValue('203.0.113.7');
});

test('a list that blocks every caller and allows the whole of IPv6 is questioned twice', async ({ page }) => {
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  await shop.create({ out_trade_no: `caller-${Date.now()}`, amount: '1.00', currency: 'CNY' });
  await signIn(page, '/setting/ipAddress');
  const list = page.getByRole('textbox', { name: 'IP whitelist' });
  // The call is counted within seconds.
  await expect(async () => {
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await expect(page.getByRole('cell', { name: '127.0.0.1' })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await list.fill('::/0');
  await page.getByRole('button', { name: 'Save' }).click();
  const passwordDialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await passwordDialog.getByLabel('Login password').fill(demo.password);
  await passwordDialog.getByRole('button', { name: 'Confirm' }).click();
  const open = page.getByRole('dialog', { name: 'Allow this many addresses?' });
  await open.getByRole('button', { name: 'Save anyway' }).click();
  const closing = page.getByRole('dialog', { name: 'Block your own systems?' });
  await expect(closing.getByText('blocks every address that has called in the last 7 days')).toBeVisible();
  await closing.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(list).not.toHaveValue('::/0');
});
