import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { enter, staffCredentials } from './office.ts';
import { demo, signIn } from './people.ts';
import { test } from './story.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a top-up appears in the queue, is decided by keyboard, and reaches the merchant, all without a reload', async ({
  context,
  page: merchant,
}) => {
  // Both applications in one browser: cookies ignore ports, and must not meet.
  const office = await context.newPage();
  await enter(office, '/topups');
  await expect(office.getByRole('heading', { name: 'Queue' })).toBeVisible();

  await signIn(merchant, '/recharge/topup');
  await merchant.getByLabel('Currency').selectOption('USDT');
  await merchant.getByLabel('Network type').selectOption('Tron (TRC20)');
  await merchant.getByLabel('Recharge amount').fill('123.25');
  const hash = createHash('sha256').update(`office ${Date.now()}`).digest('hex');
  await merchant.getByLabel('Transaction hash').fill(hash);
  await merchant
    .locator('input[type=file]')
    .setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: pixel });
  await merchant.getByRole('button', { name: 'Submit' }).click();
  await merchant.getByRole('link', { name: 'View status' }).click();
  const drawer = merchant.getByRole('dialog', { name: /^Top-up T/ });
  await expect(drawer.getByText('Pending review').first()).toBeVisible();

  const entry = office.getByRole('button', { name: /123\.25 USDT/ });
  await expect(entry).toBeVisible();
  // The newest is the last of the queue.
  const count = await office.getByRole('listitem').count();
  for (let step = 0; step < count; step++) {
    await office.keyboard.press('j');
    if ((await entry.getAttribute('aria-pressed')) === 'true') break;
  }
  await expect(entry).toHaveAttribute('aria-pressed', 'true');
  await expect(office.getByRole('link', { name: hash })).toBeVisible();
  await expect(office.getByRole('img', { name: 'Screenshot' })).toBeVisible();
  await office.keyboard.press('t');
  await expect(entry.getByText('You are working on this')).toBeVisible();
  await office.keyboard.press('a');
  await office.getByLabel('Amount received (USDT)').fill('120');
  await office.keyboard.press('Enter');
  await expect(entry.getByText('Approved')).toBeVisible();
  await expect(drawer.getByText('Approved').first()).toBeVisible();
  await office.getByRole('button', { name: 'Credit' }).focus();
  await office.keyboard.press('c');
  await office
    .getByRole('dialog', { name: 'Credit this top-up?' })
    .getByRole('button', { name: 'Credit' })
    .click();
  await expect(office.getByText('Credited to the merchant')).toBeVisible();
  await expect(drawer.getByText('Paid', { exact: true }).first()).toBeVisible();
  await expect(entry).toBeHidden();
});

test('a large withdrawal is paid once two people agree, and reaches the merchant without a reload', async ({
  context,
  browser,
  page: merchant,
}) => {
  test.setTimeout(120_000);
  // A merchant without rules of its own.
  await signIn(merchant, '/withdrawal/apply', { ...demo, email: 'other@hengfu.test' });
  await merchant.getByLabel('Network type').selectOption('Tron (TRC20)');
  await merchant.getByLabel('Withdrawal amount', { exact: true }).fill('210');
  await merchant.getByLabel('Wallet address').fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
  await merchant.getByRole('button', { name: 'Continue' }).click();
  const confirm = merchant.getByRole('dialog', { name: 'Withdraw to this wallet?' });
  await confirm.getByLabel('Payment password').fill('888888');
  await confirm.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await merchant.getByRole('link', { name: 'View status' }).click();
  const drawer = merchant.getByRole('dialog', { name: /^Withdrawal W/ });
  await expect(drawer.getByText('Pending review').first()).toBeVisible();
  const no = /W\d+/.exec(await drawer.innerText())?.[0] ?? '';

  const office = await context.newPage();
  await enter(office, `/withdrawals?case=${no}`);
  await expect(office.getByText('The merchant has never withdrawn to this wallet')).toBeVisible();
  await office.getByRole('button', { name: 'Take' }).focus();
  await office.keyboard.press('a');
  await office
    .getByRole('dialog', { name: 'Approve this withdrawal?' })
    .getByRole('button', { name: 'Approve' })
    .click();
  await expect(drawer.getByText('Approved').first()).toBeVisible();
  await office.getByLabel('Transaction hash').fill(createHash('sha256').update(no).digest('hex'));
  await office.getByRole('button', { name: 'Ask a second person' }).click();
  await office.getByRole('link', { name: 'Open request' }).click();
  const own = office.getByRole('dialog', { name: 'Pay a withdrawal' });
  await expect(own.getByText('You have asked for this, so somebody else decides.')).toBeVisible();
  await expect(own.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  expect(await violationsOf(office)).toEqual([]);

  const second = await (await browser.newContext()).newPage();
  await enter(second, '/requests', { ...staffCredentials, email: 'second@hengfu.test' });
  const row = second.getByRole('row').filter({ hasText: no });
  await row.getByRole('button', { name: 'Pay a withdrawal' }).click();
  const request = second.getByRole('dialog', { name: 'Pay a withdrawal' });
  await expect(request.getByText('210.00 USDT')).toBeVisible();
  await request.getByRole('button', { name: 'Approve' }).click();
  await expect(second.getByText('Approved and done')).toBeVisible();
  await expect(drawer.getByText('Paid', { exact: true }).first()).toBeVisible();
  await expect(own.getByText('Approved', { exact: true })).toBeVisible();
  await second.context().close();
});

test('a person sees the actions that the roles allow, and signs out', async ({ page }) => {
  await enter(page, '/topups', { ...staffCredentials, email: 'second@hengfu.test' });
  await expect(page.getByRole('button', { name: 'Take' })).toBeVisible();
  await page.getByRole('button', { name: 'Account menu for 何志强' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
});
