import { expect, test } from '@playwright/test';
import { demo, open, productUrl, signIn } from './people.ts';

test('somebody who is not in is sent to sign in, and then on to where they were going', async ({ page }) => {
  await open(page, '/collection/Settlements?status=settled');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${productUrl()}/collection/Settlements?status=settled`);
  await expect(page.getByRole('heading', { name: 'Settlements' })).toBeVisible();
});

test('a redirect to somewhere else is not followed', async ({ page }) => {
  await open(page, '/login?redirect=https://evil.example/');
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${productUrl()}/dashboard`);
});

test('a wrong password is told in place', async ({ page }) => {
  await open(page, '/login');
  await page.getByLabel('Email').fill('nobody@hengfu.test');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('These credentials do not match our records.');
});

test('the password can be looked at', async ({ page }) => {
  await open(page, '/login');
  await page.getByLabel('Password', { exact: true }).fill('secret');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
});

test('signing out ends the session and says so', async ({ page }) => {
  await signIn(page, '/dashboard');
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Login successfully logged out')).toBeVisible();
  await open(page, '/dashboard');
  await expect(page).toHaveURL(/\/login/);
});

for (const [language, title] of [
  ['zh-cn', '登录'],
  ['vi', 'Đăng nhập'],
  ['en', 'Sign in'],
] as const) {
  test(`the sign-in page speaks ${language}`, async ({ page }) => {
    await open(page, '/login', language);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', /.+/);
  });
}

test('a session that has ended asks to log in again, once', async ({ page, context }) => {
  await signIn(page, '/collection/payments');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await context.clearCookies({ name: 'hengfu_session' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const dialog = page.getByRole('dialog', { name: 'The current page is invalid, please log in again' });
  await expect(dialog).toHaveCount(1);
  await dialog.getByRole('button').last().click();
  await expect(page).toHaveURL(/\/login\?redirect=/);
});

test('the dashboard comes with its first figures: nothing is asked for before they show', async ({
  page,
}) => {
  const chart = page.locator('.uplot canvas').first();
  await signIn(page);
  await expect(chart).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${productUrl()}/dashboard`);
  await expect(chart).toBeVisible();
  expect(asked).not.toContain('/api/merchant/dashboard');
  expect(asked).not.toContain('/api/merchant/account');
});
