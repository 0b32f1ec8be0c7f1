import { expect } from '@playwright/test';
import { newMerchant, newUser, open, operator, operatorAlone, signIn } from './people.ts';
import { test } from './story.ts';

const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const evm = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const transaction = 'ab'.repeat(32);

test('a withdrawal is submitted, reviewed and paid, and shows its transaction', async ({ page }) => {
  await signIn(page, '/withdrawal/apply');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Please select the network type.')).toBeVisible();
  await expect(page.getByText('Please enter the withdrawal amount.')).toBeVisible();
  await expect(page.getByText('Please enter your wallet address.')).toBeVisible();
  await page.getByLabel('Withdrawal amount', { exact: true }).fill('100');
  const sums = page.getByRole('region', { name: 'Summary' });
  await expect(sums.getByText('¥712.00').first()).toBeVisible();
  await expect(sums.getByText('$99.98')).toBeVisible();
  await expect(page.getByText('Unit: USDT')).toBeVisible();
  await page.getByLabel('Currency').selectOption('CNY');
  await expect(sums.getByText(/14\.044943/)).toBeVisible();
  await expect(page.getByText('Unit: Yuan')).toBeVisible();
  await page.getByLabel('Currency').selectOption('USDT');
  // An address of another network is refused; an earlier one is offered.
  await page.getByLabel('Network type').selectOption('Tron (TRC20)');
  await page.getByLabel('Wallet address').fill(evm);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This address is not valid on the selected network.')).toBeVisible();
  await page.getByLabel('Wallet address').fill(`${tron.slice(0, -1)}u`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('The checksum of this address is incorrect.')).toBeVisible();
  await page.getByLabel('Wallet address').fill(tron);
  await page.getByLabel('Withdrawal amount', { exact: true }).fill('99999999');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Withdrawal amount', { exact: true })).toHaveAccessibleDescription(
    /You need .+ more in available funds\./,
  );
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByLabel('Withdrawal amount', { exact: true }).fill('100');
  await page.getByLabel('Wallet address').fill(`TR7N${'1'.repeat(26)}Lj6t`);
  await expect(page.getByText(/starts and ends like .+, which you used before/)).toBeVisible();
  await page.getByLabel('Wallet address').fill('');
  await page.getByRole('list', { name: 'Recent addresses' }).getByRole('button').first().click();
  await expect(page.getByLabel('Wallet address')).toHaveValue(tron);
  await page.getByRole('button', { name: 'Continue' }).click();
  const confirm = page.getByRole('dialog', { name: 'Withdraw to this wallet?' });
  for (const text of ['¥712.00', 'Fee', 'Tron (TRC20)', '1 USDT = 7.12 CNY', tron])
    await expect(confirm.getByText(text, { exact: true }).first()).toBeVisible();
  await expect(confirm.getByText('cannot be recovered. Make sure the wallet accepts USDT')).toBeVisible();
  await confirm.getByLabel('Payment password').fill('888888');
  await confirm.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText(/is awaiting review/)).toBeVisible();
  await page.getByRole('link', { name: 'View status' }).click();
  const drawer = page.getByRole('dialog', { name: /^Withdrawal W/ });
  await expect(drawer.getByText('Pending review').first()).toBeVisible();
  const no = /W\d+/.exec((await drawer.getAttribute('aria-label')) ?? (await drawer.innerText()))?.[0] ?? '';
  await operator('withdrawal', 'approve', no);
  // Without a reload.
  await expect(drawer.getByText('Approved').first()).toBeVisible();
  await operatorAlone('withdrawal', 'pay', no, '--transaction', transaction);
  await expect(drawer.getByRole('link', { name: transaction })).toHaveAttribute(
    'href',
    `https://tronscan.org/#/transaction/${transaction}`,
  );
});

test('a rejected withdrawal shows the reviewer’s reason', async ({ page }) => {
  await signIn(page, '/withdrawal/record');
  await page.getByRole('row').filter({ hasText: 'Rejected' }).first().getByRole('link').first().click();
  await expect(page.getByText('钱包地址属于合约，请更换收款地址。')).toBeVisible();
});

test('a merchant without terms is told whom to contact', async ({ page }) => {
  const merchant = await newMerchant('dry', { currency: 'INR', zone: 'Asia/Kolkata' });
  await signIn(page, '/withdrawal/apply', await newUser(merchant));
  await expect(
    page.getByText('Withdrawals are not enabled for your account. Please contact our support team.'),
  ).toBeVisible();
});

for (const [language, button, message] of [
  ['zh-cn', '下一步', '请选择网络类型。'],
  ['vi', 'Tiếp tục', 'Vui lòng chọn loại mạng.'],
] as const) {
  test(`the withdrawal form is shown in ${language}`, async ({ page }) => {
    await open(page, '/withdrawal/apply', language);
    await page.locator('#email').fill('demo@hengfu.test');
    await page.locator('#password').fill('Demo-pass-2026');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(message)).toBeVisible();
  });
}
