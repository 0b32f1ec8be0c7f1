import { expect } from '@playwright/test';
import { approve, colleagueElsewhere, paymentPassword } from './approving-colleagues.ts';
import { violationsOf } from './axe.ts';
import { open, signIn } from './people.ts';
import { test } from './story.ts';

test('a batch waits as a whole; the approver leaves out one row, with a reason, and the others are paid', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const approver = await colleagueElsewhere(browser, '/approvals?view=mine', 'APPROVER');
  await signIn(page, '/behalfPay/apply?mode=batch');
  const start = String(Date.now()).slice(-8);
  // Each row is below the amount of the demo merchant's rule for payouts; their total is above it.
  const rows = [1, 2, 3].map((row) => `林小雨,9876${start}${row},ICBC,700${row}.00`);
  const buffer = Buffer.from(['收款人,收款账号,银行,金额', ...rows].join('\r\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'bonus.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: /^Continue/ }).click();
  const paying = page.getByRole('dialog', { name: 'Pay this batch?' });
  await paying.getByLabel('Payment password').fill(paymentPassword);
  await paying.getByRole('button', { name: 'Pay all rows' }).click();
  await expect(page.getByText('A rule of your company asks for approval.')).toBeVisible();
  await expect(page.getByText('3 of 3 rows', { exact: true })).toBeVisible();
  const batchAddress = page.url();

  const row = approver.getByRole('row').filter({ hasText: 'bonus.csv (3)' });
  await row.getByRole('link').first().click();
  const drawer = approver.getByRole('dialog', { name: /^Request A/ });
  await expect(drawer.getByText('Payouts: 3')).toBeVisible();
  await drawer.getByRole('button', { name: 'Exclude row 2' }).click();
  // Without a reason, nothing is excluded.
  await expect(drawer.getByRole('button', { name: 'Approve without excluded rows (1)' })).toBeDisabled();
  await drawer.getByLabel('Why row 2 is excluded').fill('Left the company');
  expect(await violationsOf(approver)).toEqual([]);
  await drawer.getByRole('button', { name: 'Approve without excluded rows (1)' }).click();
  await approve(approver);
  await expect(approver.getByText('Your approval was recorded.')).toBeVisible();
  await expect(drawer.getByText('Row 2, excluded by Test approver: Left the company')).toBeVisible();

  await open(page, new URL(batchAddress).pathname + new URL(batchAddress).search);
  await expect(page.getByText('A rule of your company asks for approval.')).toHaveCount(0);
  await page.getByRole('link', { name: 'View payouts' }).click();
  await expect(page.getByRole('row').filter({ hasText: /7,?002\.00/ })).toContainText('Rejected');
  await expect(page.getByRole('row').filter({ hasText: /7,?001\.00/ })).toContainText('Processed');
  await approver.context().close();
});
