import { expect } from '@playwright/test';
import { demo, open, signIn } from './people.ts';
import { test } from './story.ts';

test('a paid payout’s receipt is created, and checked in three languages without signing in', async ({
  page,
  browser,
}) => {
  await signIn(page, '/behalfPay/transfers?status=processed');
  await page.getByRole('row').filter({ hasText: 'Processed' }).first().getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Payout P/ });
  const no = /P\d+/.exec(await drawer.innerText())?.[0] ?? '';
  await drawer.getByRole('button', { name: 'Create receipt' }).click();
  await expect(drawer.getByText('Link valid until')).toBeVisible();
  const link = await drawer.getByRole('link', { name: 'View receipt' }).getAttribute('href');
  const { pathname } = new URL(link ?? '');
  const stranger = await (await browser.newContext()).newPage();
  for (const [language, title, check] of [
    ['en', 'Payment receipt', 'You can verify this receipt at this address until'],
    ['zh-cn', '付款回单', '前可通过以下链接核验本回单'],
    ['vi', 'Biên lai chi hộ', 'Có thể xác thực biên lai này'],
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
  await expect(stranger.getByRole('heading', { name: 'Payment receipt' })).toBeVisible();
  await stranger.emulateMedia({ media: 'print' });
  await expect(stranger.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(stranger.getByRole('heading', { name: 'Payment receipt' })).toBeVisible();
});

test('a tampered link to a receipt shows an error', async ({ page }) => {
  await open(page, '/slip/1~P1~zzzz~no');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
});

test('revoked links to a receipt say that they were revoked', async ({ page, browser }) => {
  await signIn(page, '/behalfPay/transfers?status=processed');
  await page.getByRole('row').filter({ hasText: 'Processed' }).last().getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Payout P/ });
  const newLink = async () => {
    await drawer.getByRole('button', { name: 'Create receipt' }).click();
    const href = await drawer.getByRole('link', { name: 'View receipt' }).getAttribute('href');
    return new URL(href ?? '').pathname;
  };
  const first = await newLink();
  const stranger = await (await browser.newContext()).newPage();
  await open(stranger, first);
  await expect(stranger.getByRole('button', { name: 'Print' })).toBeVisible();

  await drawer.getByRole('button', { name: 'Revoke links' }).click();
  await expect(drawer.getByText('printed copies can no longer be verified')).toBeVisible();
  await drawer.getByRole('button', { name: 'Keep links' }).click();
  await stranger.reload();
  await expect(stranger.getByRole('button', { name: 'Print' })).toBeVisible();

  await drawer.getByRole('button', { name: 'Revoke links' }).click();
  await drawer.getByRole('button', { name: 'Revoke all links' }).click();
  await expect(drawer.getByText('All links to this receipt have been revoked.')).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole('alert')).toContainText('This link has been revoked');
  await expect(stranger.getByRole('button', { name: 'Print' })).toBeHidden();

  await open(stranger, await newLink());
  await expect(stranger.getByRole('button', { name: 'Print' })).toBeVisible();
});

test('a viewer gets no buttons to create or revoke links', async ({ page }) => {
  await signIn(page, '/behalfPay/transfers?status=processed', {
    email: 'viewer@hengfu.test',
    password: demo.password,
  });
  await page.getByRole('row').filter({ hasText: 'Processed' }).first().getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Payout P/ });
  await expect(drawer.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Create receipt' })).toHaveCount(0);
  await expect(drawer.getByRole('button', { name: 'Revoke links' })).toHaveCount(0);
});
