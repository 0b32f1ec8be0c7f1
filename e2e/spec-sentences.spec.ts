import { expect, type Page } from '@playwright/test';
import { newUser, open, operator, password, productUrl, signIn, signOut, visit } from './people.ts';
import { bind, codeOf } from './second-factor.ts';
import { test } from './story.ts';

const incomplete = 'Please check if the form information is filled in completely.';

/** Opens the form of a filter and applies it empty. */
async function applyEmpty(page: Page, filter: string): Promise<void> {
  const bar = page.getByRole('search', { name: 'Filters' });
  await bar.getByRole('button', { name: filter, exact: true }).click();
  await page.getByRole('dialog', { name: filter }).getByRole('button', { name: 'Apply' }).click();
}

test('a filter that is applied empty asks for its value', async ({ page }) => {
  await signIn(page, '/collection/payments');
  const bar = page.getByRole('search', { name: 'Filters' });
  for (const [label, sentence] of [
    ['Order number', 'Please enter the order number.'],
    ['Merchant order number', 'Please enter merchant order number.'],
  ] as const) {
    await bar.getByRole('textbox', { name: label, exact: true }).press('Enter');
    await expect(bar.getByText(sentence)).toBeVisible();
    await bar.getByRole('textbox', { name: label, exact: true }).fill('X');
    await expect(bar.getByText(sentence)).toHaveCount(0);
    await bar.getByRole('textbox', { name: label, exact: true }).fill('');
  }
  for (const [label, sentence] of [
    ['Order status', 'Please select the order status.'],
    ['Created at', 'Please choose a start time or an end time.'],
    ['Amount', 'Please enter the amount.'],
    ['Channel', 'Please select a channel.'],
  ] as const) {
    await applyEmpty(page, label);
    await expect(page.getByRole('dialog').getByText(sentence)).toBeVisible();
    await page.keyboard.press('Escape');
  }
  await visit(page, '/behalfPay/transfers');
  for (const [label, sentence] of [
    ['Payee', 'Please enter the payee.'],
    ['Receiving account', 'Please enter the receiving account number.'],
    ['Bank', 'Please select a bank.'],
  ] as const) {
    await applyEmpty(page, label);
    await expect(page.getByRole('dialog').getByText(sentence)).toBeVisible();
    await page.keyboard.press('Escape');
  }
});

test('payouts are filtered by their bank, whose name and branch are columns', async ({ page }) => {
  await signIn(page, '/behalfPay/transfers');
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['Bank name', 'Branch']) await page.getByRole('checkbox', { name, exact: true }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Bank name', exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Branch', exact: true })).toBeVisible();
  const bar = page.getByRole('search', { name: 'Filters' });
  await bar.getByRole('button', { name: 'Bank', exact: true }).click();
  const box = page.getByRole('dialog', { name: 'Bank' });
  await box.getByLabel('Search').fill('construction');
  await box.getByRole('radio', { name: 'China Construction Bank' }).check();
  await box.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/bank=CCB/);
  await expect(bar.getByRole('button', { name: 'Bank: China Construction Bank' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'China Construction Bank' }).first()).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Bank of China', exact: true })).toHaveCount(0);
});

test('a filter that was set is cleared by applying it empty', async ({ page }) => {
  await signIn(page, '/collection/payments?status=paid');
  const bar = page.getByRole('search', { name: 'Filters' });
  await bar.getByRole('button', { name: 'Order status: Paid', exact: true }).click();
  const box = page.getByRole('dialog', { name: 'Order status' });
  await box.getByRole('checkbox', { name: 'Paid', exact: true }).uncheck();
  await box.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/payments$/);
});

test('forms with several empty fields say so above them, and at each field', async ({ page }) => {
  await open(page, '/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  for (const sentence of [incomplete, 'Please enter email address.', 'Please enter password.'])
    await expect(page.getByText(sentence)).toBeVisible();
  await signIn(page, '/behalfPay/apply');
  await expect(page.getByText('Unit: Yuan')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  for (const sentence of [
    incomplete,
    'Please enter the payee.',
    'Please enter the receiving account number.',
    'Please select a bank.',
    'Please enter the bank name.',
    'Please enter the payment amount.',
  ])
    await expect(page.getByText(sentence)).toBeVisible();
  await page.goto(`${productUrl()}/setting/accountSecurity`);
  await page.getByRole('button', { name: 'Change password' }).click();
  for (const sentence of [incomplete, 'Please enter the current password.', 'Please enter a new password.'])
    await expect(page.getByText(sentence)).toBeVisible();
  // One empty field is not several.
  await page.getByLabel('Current password').fill('x');
  await page.getByLabel('New password', { exact: true }).fill('Another-pass-2026');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Please enter the confirmation password.')).toBeVisible();
  await expect(page.getByText(incomplete)).toHaveCount(0);
});

test('an empty whitelist, confirmation or login password is refused at its field', async ({ page }) => {
  await signIn(page, '/setting/ipAddress');
  const list = page.getByRole('textbox', { name: 'IP whitelist' });
  await list.fill(' \n');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter IP whitelist.')).toBeVisible();
  await expect(list).toHaveAttribute('placeholder', 'Please enter IP address.');
  await visit(page, '/setting/paymentPassword');
  await page.getByLabel('New payment password', { exact: true }).fill('999999');
  await page.getByRole('button', { name: 'Change payment password' }).click();
  await expect(page.getByText('Please enter the confirmation password.')).toBeVisible();
  await page.getByLabel('Confirm new payment password').fill('999999');
  await page.getByRole('button', { name: 'Change payment password' }).click();
  const gate = page.getByRole('dialog', { name: 'Confirm your login password' });
  await gate.getByRole('button', { name: 'Confirm' }).click();
  await expect(gate.getByText('Please enter login password.')).toBeVisible();
});

for (const [language, sentence, save] of [
  ['en', 'Input data is illegal!', 'Save'],
  ['zh-cn', '输入的数据不合法！', '保存'],
  ['vi', 'Dữ liệu nhập không hợp lệ!', 'Lưu'],
] as const) {
  test(`a callback URL of another scheme is illegal input, ${language}`, async ({ page }) => {
    await signIn(page, '/setting/interfaceKey');
    await page.evaluate((value) => localStorage.setItem('language', value), language);
    await page.reload();
    await page.locator('input[name=callbackUrl]').fill('ftp://x');
    await page.getByRole('button', { name: save, exact: true }).click();
    await expect(page.getByText(sentence)).toBeVisible();
  });
}

test('a code of the wrong length is refused in the form, without a call', async ({ page }) => {
  const user = await newUser();
  await signIn(page, '/setting/accountSecurity', user);
  const { secret } = await bind(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    if (/two-factor-challenge$|access-key/.test(request.url()) && request.method() !== 'GET')
      calls.push(request.url());
  });
  await visit(page, '/setting/interfaceKey');
  await page.getByRole('button', { name: /^(Regenerate|Create key)/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Verification code').fill('12345');
  await dialog.locator('button[type=submit]').click();
  await expect(dialog.getByText('The Google captcha length must be 6 digits.')).toBeVisible();
  await page.keyboard.press('Escape');
  await signOut(page);
  await open(page, '/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  for (let time = 0; time < 6; time++) {
    await page.getByLabel('Verification code').fill('12345');
    await page.keyboard.press('Enter');
    await expect(page.getByText('The verification code length is 6 digits.')).toBeVisible();
  }
  expect(calls).toEqual([]);
  // A press while the refusal of the last one is shown would be ignored.
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.getByLabel('Verification code').fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/dashboard/);
});

test('a reply with nothing but a message shows it, and so does an error of a field that the form lacks', async ({
  page,
}) => {
  await signIn(page, '/setting/personalData', await newUser());
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
  const reply = (status: number, body: object) =>
    page.route('**/api/user/profile-information', (route) => route.fulfill({ status, json: body }));
  await reply(418, { message: 'The teapot is empty.' });
  await page.getByRole('button', { name: 'Save' }).click();
  const alert = page.getByRole('alertdialog').filter({ hasText: 'The teapot is empty.' });
  await alert.getByRole('button', { name: 'Got it' }).click();
  await page.unroute('**/api/user/profile-information');
  await reply(422, {
    message: 'Wrong.',
    code: 'validation_failed',
    request_id: 'r',
    errors: { nickname: ['Choose another nickname.'] },
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('main').getByText('Choose another nickname.')).toBeVisible();
});

test('a visitor whose session ended in the meantime is asked to log in again', async ({ page }) => {
  const user = await newUser();
  await signIn(page, '/dashboard', user);
  await operator('user', 'sign-out', '--email', user.email);
  await open(page, '/dashboard');
  await expect(page.getByText('Your session has ended, please log in again.')).toBeVisible();
  await signIn(page, '/dashboard', user);
  await expect(page).toHaveURL(/dashboard/);
});

test('an unknown stored language falls back to Chinese, whatever the browser prefers', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'fr'));
  await page.goto(`${productUrl()}/login`);
  await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
});

test('a top-up has its currency as a field, a column and a filter', async ({ page }) => {
  await signIn(page, '/recharge/record?coin=USDT');
  await expect(page.getByRole('columnheader', { name: 'Currency', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Currency: USDT' })).toBeVisible();
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Top-up T/ });
  await expect(drawer.getByText('Currency', { exact: true })).toBeVisible();
});

test('a withdrawal has its currency as a field, a column and a filter, and its amount in two others', async ({
  page,
}) => {
  await signIn(page, '/withdrawal/record?coin=USDT');
  await expect(page.getByRole('columnheader', { name: 'Currency', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Currency: USDT' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Withdrawal amount (USD)' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Withdrawal amount (local currency)' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '$499.90' })).toBeVisible();
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Withdrawal W/ });
  await expect(drawer.getByText('Currency', { exact: true })).toBeVisible();
});

test('the settings panel names the version', async ({ page }) => {
  await signIn(page, '/dashboard');
  await page.getByRole('button', { name: 'Display settings' }).click();
  await expect(page.getByText(/^Version \d+\.\d+\.\d+$/)).toBeVisible();
});
