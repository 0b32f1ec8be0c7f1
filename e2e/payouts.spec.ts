import { expect, type Page } from '@playwright/test';
import { choose } from './controls.ts';
import { loseNextReply } from './lost-reply.ts';
import { newMerchant, newUser, open, operatorAlone, productUrl, signIn, visit } from './people.ts';
import { bind, codeOf } from './second-factor.ts';
import { test } from './story.ts';

const paymentPassword = '888888';
/** A new amount each time, because a repeated payment within 24 hours needs confirmation. */
let cents = 10;
const amountOf = (whole: number) => `${whole}.${cents++}`;

async function fillIn(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Payee', { exact: true }).fill('王小明');
  await page.getByLabel('Receiving account').fill('6222 0212 3456 7890 128');
  await choose(page, 'Bank', 'Industrial and Commercial Bank of China');
  await page.getByLabel('Bank name').fill('中国工商银行');
  await page.getByLabel('Payment amount (CNY)').fill(amount);
}

const confirm = (page: Page) => page.getByRole('dialog', { name: 'Send this payment?' });

/** Confirms with the payment password. */
async function send(page: Page, button = 'Send'): Promise<void> {
  await confirm(page).getByLabel('Payment password').fill(paymentPassword);
  await confirm(page).getByRole('button', { name: button, exact: true }).click();
}

/** Expects the confirmation to show these values, by their labels. */
async function expectReviewed(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const named = confirm(page)
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${label}$`) });
    await expect(named.locator('xpath=following-sibling::dd')).toHaveText(value);
  }
}

test('a payout is submitted, confirmed, followed and paid', async ({ page }) => {
  await signIn(page, '/behalfPay/apply');
  const amount = amountOf(128);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Please enter the payee.')).toBeVisible();
  await expect(page.getByText('Please select a bank.')).toBeVisible();
  await expect(page.getByText('Please enter the bank name.')).toBeVisible();
  await fillIn(page, amount);
  // Fee: 0.2 % and 2.00.
  const sums = page.getByRole('region', { name: 'Summary' });
  await expect(sums.getByText('¥2.26', { exact: true })).toBeVisible();
  await expect(sums.getByText('Fee: 0.2% of the amount plus ¥2.00 per payout.')).toBeVisible();
  await page.getByLabel('Payment amount (CNY)').fill('99999999.00');
  await expect(sums.getByText(/You need .+ more in available funds\./)).toBeVisible();
  // The shortfall stands at the amount, and no password is asked.
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Payment amount (CNY)')).toHaveAccessibleDescription(
    /You need ¥[\d,.]+ more in available funds\./,
  );
  await expect(confirm(page)).toHaveCount(0);
  await page.getByLabel('Payment amount (CNY)').fill(amount);
  await page.getByLabel('Receiving account').fill('6222029876543210069');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('The check digit of this card number is incorrect.')).toBeVisible();
  // Other stories pay the usual payee and account, and may have done so before.
  await page.getByLabel('Payee', { exact: true }).fill('王晓明');
  await page.getByLabel('Receiving account').fill('6222029876543210060');
  // Optional fields are folded away.
  await expect(page.getByLabel('Branch (optional)')).toBeHidden();
  await page.getByText('More fields').click();
  await page.getByLabel('Branch (optional)').fill('北京朝阳支行');
  await page.getByLabel('Remark (optional)').fill('八月工资');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectReviewed(page, {
    Payee: '王晓明',
    'Receiving account': '6222029876543210060',
    Bank: 'Industrial and Commercial Bank of China',
    'Bank name': '中国工商银行',
    Branch: '北京朝阳支行',
    Remark: '八月工资',
    Fee: '¥2.26',
  });
  await expect(confirm(page).getByText('This is the first payment to this account.')).toBeVisible();
  await confirm(page).getByLabel('Payment password').fill('000000');
  await confirm(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(confirm(page).getByText('Incorrect password.')).toBeVisible();
  await send(page);
  await expect(page.getByText('Application successful')).toBeVisible();
  await page.getByRole('link', { name: 'View status' }).click();
  await expect(page.locator('main h1').filter({ hasText: 'Send money history' })).toBeVisible();
  const drawer = page.getByRole('dialog', { name: /^Payout P/ });
  await expect(drawer.getByText('Processed').first()).toBeVisible();
  await expect(drawer.getByText('Payment confirmed by the channel')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').nth(1)).toContainText('Processed');
});

test('suggested payees close on Escape, on a click elsewhere, and before a dialog opens', async ({
  page,
}) => {
  await signIn(page, '/behalfPay/apply');
  await fillIn(page, amountOf(31));
  await page.getByRole('button', { name: 'Continue' }).click();
  await send(page);
  await expect(page.getByText('Application successful')).toBeVisible();
  await open(page, '/behalfPay/apply');
  const payee = page.getByLabel('Payee', { exact: true });
  const suggestions = page.getByRole('list', { name: 'Recent payees' });
  const reopen = async () => {
    await payee.fill('');
    await payee.fill('王小明');
    await expect(suggestions).toBeVisible();
  };
  await reopen();
  await payee.press('Escape');
  await expect(suggestions).toHaveCount(0);
  await expect(payee).toHaveValue('王小明');
  await reopen();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(suggestions).toHaveCount(0);
  await reopen();
  await page.getByLabel('Payment amount (CNY)').focus();
  await expect(suggestions).toHaveCount(0);
  await fillIn(page, amountOf(32));
  await reopen();
  await payee.press('Enter');
  await expect(confirm(page)).toBeVisible();
  await expect(suggestions).toHaveCount(0);
});

test('a refusal by the bank is explained, and the money is returned', async ({ page }) => {
  await signIn(page, '/behalfPay/apply');
  await fillIn(page, '77.01');
  await page.getByRole('button', { name: 'Continue' }).click();
  await send(page);
  await page.getByRole('link', { name: 'View status' }).click();
  const drawer = page.getByRole('dialog', { name: /^Payout P/ });
  await expect(drawer.getByText('The receiving account is closed.')).toBeVisible();
  // The number says why it differs from the local time.
  await drawer.getByRole('button', { name: 'Order number', exact: true }).hover();
  await expect(page.getByRole('tooltip')).toHaveText(
    /^The first twelve digits are the time of creation in UTC: 20\d\d-/,
  );
  await expect(drawer.getByText(/amount and fee were returned to your available funds/)).toBeVisible();
});

test('a user with a second factor must enter it for a payment', async ({ page }) => {
  const user = await newUser();
  await signIn(page, '/setting/accountSecurity', user);
  const { secret } = await bind(page);
  await visit(page, '/setting/paymentPassword');
  await page.getByLabel('New payment password', { exact: true }).fill(paymentPassword);
  await page.getByLabel('Confirm new payment password').fill(paymentPassword);
  await page.getByRole('button', { name: 'Set payment password' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await visit(page, '/behalfPay/apply');
  await fillIn(page, amountOf(64));
  await page.getByRole('button', { name: 'Continue' }).click();
  await confirm(page).getByLabel('Verification code').fill('000000');
  await send(page);
  await expect(confirm(page).getByText('This code is incorrect or has already been used.')).toBeVisible();
  await confirm(page).getByLabel('Verification code').fill(codeOf(secret, 1));
  await send(page);
  await expect(page.getByText(/is in progress/)).toBeVisible();
});

test('a repeated payment goes through only after confirmation', async ({ page }) => {
  await signIn(page, '/behalfPay/apply');
  const amount = amountOf(55);
  for (const isFirst of [true, false]) {
    await fillIn(page, amount);
    await page.getByRole('button', { name: 'Continue' }).click();
    await send(page);
    if (!isFirst) {
      await expect(
        confirm(page).getByText(/This payment is identical to P\d+ from the past 24 hours/),
      ).toBeVisible();
      await send(page, 'Send anyway');
    }
    await expect(page.getByText(/is in progress/)).toBeVisible();
    if (isFirst) {
      await page.getByRole('link', { name: 'View status' }).click();
      await expect(
        page.getByRole('dialog', { name: /^Payout P/ }).getByText('Payment confirmed by the channel'),
      ).toBeVisible();
      await page.goto(`${productUrl()}/behalfPay/apply`);
    }
  }
});

test('a payment whose reply was lost is not made twice, and the person is told so; the next one is made', async ({
  page,
}) => {
  await signIn(page, '/behalfPay/apply');
  const amount = amountOf(56);
  await fillIn(page, amount);
  await page.getByRole('button', { name: 'Continue' }).click();
  const untilLost = await loseNextReply(page, '**/api/merchant/payouts');
  await send(page);
  await untilLost();
  await expect(page.getByText('The server cannot be reached').first()).toBeVisible();
  await send(page);
  const alert = page.getByRole('alertdialog').filter({ hasText: 'Nothing was sent again' });
  await expect(alert).toBeVisible();
  await alert.getByRole('button').click();
  const made = await page.getByText(/^Payout P\d+ to .+ is in progress/).innerText();
  await page.getByRole('link', { name: 'View status' }).click();
  await expect(
    page.getByRole('dialog', { name: /^Payout P/ }).getByText('Payment confirmed by the channel'),
  ).toBeVisible();
  await page.goto(`${productUrl()}/behalfPay/apply`);
  await fillIn(page, amount);
  await page.getByRole('button', { name: 'Continue' }).click();
  await send(page);
  await send(page, 'Send anyway');
  await expect(page.getByText(/^Payout P\d+ to .+ is in progress/)).not.toHaveText(made);
});

test('an earlier payee or a pasted text fills the form', async ({ page }) => {
  await signIn(page, '/behalfPay/apply');
  await page.getByLabel('Payee', { exact: true }).fill('云岭');
  await page.getByRole('list', { name: 'Recent payees' }).getByRole('button').first().click();
  await expect(page.getByLabel('Payee', { exact: true })).toHaveValue('云岭茶业有限公司');
  await expect(page.getByLabel('Receiving account')).toHaveValue(/^\d{19}$/);
  await page.getByLabel('Payment amount (CNY)').fill(amountOf(31));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(confirm(page).getByLabel('Payment password')).toBeFocused();
  // The account is known, so there is no warning.
  await expect(confirm(page).getByText(/first payment|a different account/)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Paste and fill' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fill in the form from pasted text' });
  await dialog.getByRole('textbox').fill('???');
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await expect(dialog.getByText('No payment details were found in this text.')).toBeVisible();
  await dialog
    .getByRole('textbox')
    .fill('户名：李雷\n账号：621700 1234 5678 90125\n建设银行\n金额：1,234.50');
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await expect(page.getByLabel('Payee', { exact: true })).toHaveValue('李雷');
  await expect(page.getByLabel('Payment amount (CNY)')).toHaveValue('1234.50');
});

test('the first digits of a card suggest its bank, and never replace a bank that was chosen', async ({
  page,
}) => {
  await signIn(page, '/behalfPay/apply');
  const account = page.getByLabel('Receiving account');
  const bank = page.getByRole('combobox', { name: 'Bank', exact: true });
  await page.getByLabel('Payee', { exact: true }).fill('周敏');
  await account.pressSequentially('621700');
  await expect(bank).toHaveText('China Construction Bank');
  await expect(bank).toHaveAccessibleDescription(
    /^Recognized from the first digits of the card: China Construction/,
  );
  await expect(page.getByLabel('Bank name')).toHaveValue('中国建设银行');
  // Another card, before a bank was chosen.
  await account.fill('6222 0212 3456 7890 128');
  await expect(bank).toHaveText('Industrial and Commercial Bank of China');
  await expect(page.getByLabel('Bank name')).toHaveValue('中国工商银行');
  await choose(page, 'Bank', 'China Merchants Bank');
  await expect(page.getByLabel('Bank name')).toHaveValue('招商银行');
  await expect(bank).toHaveAccessibleDescription(/are issued by Industrial and Commercial Bank of China/);
  await account.fill('6217 0012 3456 7890 122');
  await expect(bank).toHaveAccessibleDescription(/are issued by China Construction Bank/);
  await expect(bank).toHaveText('China Merchants Bank');
  await choose(page, 'Bank', 'China Construction Bank');
  await page.getByLabel('Payment amount (CNY)').fill(amountOf(17));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectReviewed(page, { Bank: 'China Construction Bank', 'Bank name': '中国建设银行' });
});

test('optional fields unfold with a value or an error', async ({ page }) => {
  await signIn(page, '/behalfPay/apply');
  const branch = page.getByLabel('Branch (optional)');
  await expect(branch).toBeHidden();
  await page.getByRole('button', { name: 'Paste and fill' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fill in the form from pasted text' });
  await dialog.getByRole('textbox').fill('户名：李雷\n支行：北京朝阳支行');
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await expect(branch).toHaveValue('北京朝阳支行');
  await expect(branch).toBeVisible();
  await page.getByText('More fields').click();
  await expect(branch).toBeHidden();
  await branch.evaluate((field: HTMLInputElement) => {
    field.value = '支'.repeat(101);
  });
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(branch).toBeVisible();
  await expect(branch).toHaveAttribute('aria-invalid', 'true');
});

test('a recent payee fills the form and leaves nothing of the payee before', async ({ page }) => {
  await signIn(page, '/behalfPay/apply');
  await page.getByLabel('Payee', { exact: true }).fill('何伟');
  await page.getByText('More fields').click();
  const remark = page.getByLabel('Remark (optional)');
  await page.getByLabel('Branch (optional)').fill('广州天河支行');
  await remark.fill('货款');
  const payee = page.getByRole('region', { name: 'Recent payees' }).getByRole('button').first();
  const [name, account] = await payee.locator('span').allInnerTexts();
  await payee.click();
  await expect(page.getByLabel('Payee', { exact: true })).toHaveValue(name ?? '');
  await expect(page.getByLabel('Receiving account')).toHaveValue(account ?? '');
  await expect(page.getByLabel('Branch (optional)')).not.toHaveValue('广州天河支行');
  await expect(remark).toHaveValue('货款');
});

for (const path of ['/behalfPay/apply', '/recharge/topup', '/withdrawal/apply'] as const) {
  test(`the totals stay in view beside the form: ${path}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 560 });
    await signIn(page, path);
    const submit = page.locator('main form button[type=submit]');
    const sums = page.getByRole('region', { name: 'Summary' });
    await expect(sums).toBeVisible();
    await expect(
      page
        .getByRole('region', { name: /^Latest/ })
        .getByRole('listitem')
        .first(),
    ).toBeVisible();
    const boxes = async () => {
      const [form, aside] = [await page.locator('main form').boundingBox(), await sums.boundingBox()];
      if (!form || !aside) throw new Error('The form and its totals are on screen.');
      return { form, aside };
    };
    const wide = await boxes();
    expect(wide.aside.x).toBeGreaterThan(wide.form.x + wide.form.width);
    // Form and totals use the width.
    expect(wide.aside.x + wide.aside.width - wide.form.x).toBeGreaterThan(1100);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('region', { name: /^Latest/ })).toBeInViewport();
    await expect(sums.getByRole('heading')).toBeInViewport({ ratio: 1 });
    for (const width of [1024, 768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const { form, aside } = await boxes();
      expect(aside.y).toBeGreaterThan(form.y + form.height);
      // The total is also directly above the button.
      const total = page.locator('main form p').filter({ has: page.locator('strong') });
      const [totalBox, buttonBox] = [await total.last().boundingBox(), await submit.boundingBox()];
      expect((buttonBox?.y ?? 0) - ((totalBox?.y ?? 0) + (totalBox?.height ?? 0))).toBeLessThan(40);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  });
}

for (const [language, button, message] of [
  ['zh-cn', '下一步', '请选择银行。'],
  ['vi', 'Tiếp tục', 'Vui lòng chọn ngân hàng.'],
] as const) {
  test(`the payout form is shown in ${language}`, async ({ page }) => {
    await open(page, '/behalfPay/apply', language);
    await page.locator('#email').fill('demo@hengfu.test');
    await page.locator('#password').fill('Demo-pass-2026');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(message)).toBeVisible();
  });
}

for (const [channel, currency, labels] of [
  ['IN_IMPS', 'INR', ['IFSC']],
  ['BR_PIX', 'BRL', ['Account type', 'CPF/CNPJ']],
  ['VN_NAPAS', 'VND', ['Bank']],
] as const) {
  test(`${channel} has its own fields and filters, and no others`, async ({ page }) => {
    const code = await newMerchant(`p-${currency.toLowerCase()}`, { currency, zone: 'UTC' });
    await operatorAlone('terms', 'set', '--merchant', code, '--channel', channel, '--payout-rate', '0.5');
    await signIn(page, '/behalfPay/apply', await newUser(code));
    for (const label of ['Payee', 'Receiving account', ...labels])
      await expect(page.getByLabel(label, { exact: true })).toBeVisible();
    await expect(page.getByLabel('Bank name')).toHaveCount(0);
    await expect(page.getByLabel('Bank', { exact: true })).toHaveCount(channel === 'VN_NAPAS' ? 1 : 0);
    if (channel === 'IN_IMPS') {
      await page.getByLabel('IFSC').fill('hdfc0000001');
      await expect(page.getByText('HDFC Bank, branch 000001')).toBeVisible();
    }
    await page.goto(new URL('/behalfPay/transfers', page.url()).href);
    const bar = page.getByRole('search', { name: 'Filters' });
    for (const label of labels)
      await expect(bar.getByRole('button', { name: label, exact: true })).toBeVisible();
    await expect(bar.getByRole('button', { name: 'Bank name' })).toHaveCount(0);
  });
}

test('without an open channel the page says whom to contact', async ({ page }) => {
  const code = await newMerchant('closed');
  await signIn(page, '/behalfPay/apply', await newUser(code));
  await expect(
    page.getByText('No payment channel is available. Please contact customer service.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Contact us' }).last().click();
  await expect(page).toHaveURL(/\/contactUs$/);
});
