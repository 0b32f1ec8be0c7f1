import { expect } from '@playwright/test';
import { open, signIn } from './people.ts';
import { test } from './story.ts';

test('a paid payout’s slip is made, and checked by somebody without a sign-in, in three languages', async ({
  page,
  browser,
}) => {
  await signIn(page, '/behalfPay/transfers?status=processed');
  await page.getByRole('row').filter({ hasText: 'Processed' }).first().getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Payout P/ });
  const no = /P\d+/.exec(await drawer.innerText())?.[0] ?? '';
  await drawer.getByRole('button', { name: 'Make a slip' }).click();
  await expect(drawer.getByText('The link works until')).toBeVisible();
  const link = await drawer.getByRole('link', { name: 'Open the slip' }).getAttribute('href');
  const { pathname } = new URL(link ?? '');
  const stranger = await (await browser.newContext()).newPage();
  for (const [language, title, check] of [
    ['en', 'Payout slip', 'This slip can be checked under this address until'],
    ['zh-cn', '付款回单', '前可通过此链接核验本回单'],
    ['vi', 'Biên lai chi hộ', 'Có thể kiểm tra biên lai này'],
  ] as const) {
    await open(stranger, pathname, language);
    await stranger.evaluate((value) => localStorage.setItem('language', value), language);
    await stranger.reload();
    await expect(stranger.getByRole('heading', { name: title })).toBeVisible();
    await expect(stranger.getByText(no, { exact: true })).toBeVisible();
    await expect(stranger.getByText(check)).toBeVisible();
    await expect(stranger.getByText('••••')).toBeVisible();
  }
  await stranger.getByRole('combobox').selectOption('English');
  await expect(stranger.getByRole('heading', { name: 'Payout slip' })).toBeVisible();
  await stranger.emulateMedia({ media: 'print' });
  await expect(stranger.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(stranger.getByRole('heading', { name: 'Payout slip' })).toBeVisible();
});

test('a slip’s link that was changed leads nowhere, and says so', async ({ page }) => {
  await open(page, '/slip/1~P1~zzzz~no');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
});
