import { expect, type Page } from '@playwright/test';
import { approve, colleague, colleagueElsewhere, paymentPassword } from './approving-colleagues.ts';
import { violationsOf } from './axe.ts';
import { choose } from './controls.ts';
import { sql } from './database.sql.ts';
import { newMerchant, newUser, open, signIn, visit } from './people.ts';
import { test } from './story.ts';

/** A new amount each time, above the amount from which the demo merchant's rule covers a payout. */
let cents = 10;
const coveredAmount = () => `20100.${cents++}`;

/** Sends a payout as the demo merchant's administrator; returns its number. */
async function pay(page: Page, amount: string): Promise<string> {
  await open(page, '/behalfPay/apply');
  await page.getByLabel('Payee', { exact: true }).fill('王小明');
  await page.getByLabel('Receiving account').fill('6222 0212 3456 7890 128');
  await choose(page, 'Bank', 'Industrial and Commercial Bank of China');
  await page.getByLabel('Bank name').fill('中国工商银行');
  await page.getByLabel('Payment amount (CNY)').fill(amount);
  await page.getByRole('button', { name: 'Continue' }).click();
  const confirm = page.getByRole('dialog', { name: 'Send this payment?' });
  await confirm.getByLabel('Payment password').fill(paymentPassword);
  await confirm.getByRole('button', { name: 'Send', exact: true }).click();
  const made = page.getByText(/waits for approval\. Its funds are locked/);
  await expect(made).toBeVisible();
  return /P\d+/.exec(await made.innerText())?.[0] ?? '';
}

test('two people side by side: a payout waits, appears with the approver, and is sent once approved', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const approver = await colleagueElsewhere(browser, '/approvals?view=mine', 'APPROVER');
  await expect(approver.getByRole('heading', { name: 'Approvals' }).first()).toBeVisible();
  const marked = approver.locator('main nav [aria-current="page"]');
  await expect(marked).toHaveText(['Waiting for me']);
  await signIn(page);
  const tradeNo = await pay(page, coveredAmount());
  // The request is there without a click.
  const row = approver.getByRole('row').filter({ hasText: tradeNo });
  await expect(row).toContainText('Waiting for approval');
  await row.getByRole('link').first().click();
  const drawer = approver.getByRole('dialog', { name: /^Request A/ });
  await expect(drawer.getByText('Check before you approve')).toBeVisible();
  await expect(drawer.getByText(/王小明 · 6222/)).toBeVisible();
  expect(await violationsOf(approver)).toEqual([]);
  await drawer.getByRole('button', { name: 'Approve' }).click();
  const asking = approver.getByRole('dialog', { name: 'Approve this request?' });
  await asking.getByLabel('Payment password').fill('000000');
  await asking.getByRole('button', { name: 'Approve' }).click();
  await expect(asking.getByText('Incorrect password.')).toBeVisible();
  await approve(approver);
  await expect(approver.getByText('Your approval was recorded.')).toBeVisible();
  await expect(drawer.getByText('Test approver approved')).toBeVisible();

  await page.getByRole('link', { name: 'View status' }).click();
  const order = page.getByRole('dialog', { name: /^Payout P/ });
  await expect(order.getByText('Processed').first()).toBeVisible();
  await expect(order.getByText('Approved; the payout is sent')).toBeVisible();
  await approver.context().close();
});

test('a refusal needs a reason, which the person who asked reads; the own request can only be withdrawn', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const approver = await colleagueElsewhere(browser, '/approvals?view=mine', 'APPROVER');
  await signIn(page);
  const tradeNo = await pay(page, coveredAmount());
  await page.getByRole('link', { name: 'View status' }).click();
  const order = page.getByRole('dialog', { name: /^Payout P/ });
  await expect(order.getByText('A rule of your company asks for approval.')).toBeVisible();
  const row = approver.getByRole('row').filter({ hasText: tradeNo });
  await row.getByRole('link').first().click();
  await approver.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  const refusing = approver.getByRole('dialog', { name: 'Refuse this request?' });
  await refusing.getByRole('button', { name: 'Refuse' }).click();
  await expect(refusing.getByText('Please say why.')).toBeVisible();
  await refusing.getByLabel('Reason').fill('No contract yet');
  await refusing.getByRole('button', { name: 'Refuse' }).click();
  await expect(approver.getByText('Request refused.')).toBeVisible();
  await expect(order.getByText('Rejected').first()).toBeVisible();
  await expect(order.getByText('No contract yet')).toBeVisible();

  const second = await pay(page, coveredAmount());
  await visit(page, `/approvals?subject_no=${second}`);
  await page.getByRole('row').filter({ hasText: second }).getByRole('link').first().click();
  const own = page.getByRole('dialog', { name: /^Request A/ });
  await own.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(own.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page
    .getByRole('dialog', { name: 'Withdraw this request?' })
    .getByRole('button', { name: 'Withdraw request' })
    .click();
  await expect(own.getByText('Withdrawn').first()).toBeVisible();
  await approver.context().close();
});

test('the owner sets a rule; from then on, a change of the rules waits for the approver', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const merchant = await newMerchant('rules');
  await colleague(page, '/setting/approvals', 'ROOT', merchant);
  await expect(page.getByText('No rules. Every order is sent at once.')).toBeVisible();
  await page.getByRole('button', { name: 'Change rules' }).click();
  const first = page.getByRole('group', { name: 'Rule 1', exact: true });
  await first.getByLabel('From amount (CNY)').fill('100.001');
  await page.getByRole('button', { name: 'Save rules' }).click();
  const saving = page.getByRole('dialog', { name: 'Save these rules?' });
  const save = async () => {
    await saving.getByLabel('Payment password').fill(paymentPassword);
    await saving.getByRole('button', { name: 'Save rules' }).click();
  };
  await save();
  await saving.getByRole('button', { name: 'Edit' }).click();
  await expect(first.getByRole('alert')).toBeVisible();
  await first.getByLabel('From amount (CNY)').fill('100.00');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await save();
  // Nobody could approve yet.
  await expect(saving.getByText(/Too few people could approve/)).toBeVisible();
  const approver = await colleagueElsewhere(browser, '/approvals?view=mine', 'APPROVER', merchant);
  await save();
  await expect(page.getByText('The rules apply from now on.')).toBeVisible();
  await expect(page.getByText('Payouts, from ¥100.00: approvals needed: 1 (Approver)')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Change rules' }).click();
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect(saving.getByText(/this change itself needs approval/)).toBeVisible();
  await save();
  await expect(page.getByText('A change of the rules waits for approval.')).toBeVisible();
  await approver.getByRole('row').filter({ hasText: 'Change of rules' }).getByRole('link').first().click();
  const drawer = approver.getByRole('dialog', { name: /^Request A/ });
  await expect(drawer.getByText('New rules')).toBeVisible();
  await drawer.getByRole('button', { name: 'Approve' }).click();
  await approve(approver);
  await expect(page.getByText('No rules. Every order is sent at once.')).toBeVisible();
  await approver.context().close();
});

test('the menu counts up to 99 requests that wait for an approver', async ({ page }) => {
  const merchant = await newMerchant('many');
  const own = `merchant_id = (select id from merchant where code = '${merchant}')`;
  await sql(`insert into approval_request (merchant_id, request_no, kind, subject_no, currency, counted_minor, requested_by, rules, expires_at)
    select id, 'A-many-' || n, 'payout', 'P-many-' || n, 'CNY', 100, 'key:many', '[{"roles": ["APPROVER"], "people": []}]', now() + interval '1 day'
    from merchant, generate_series(1, 101) n where code = '${merchant}'`);
  await signIn(page, '/dashboard', await newUser(merchant, { role: 'APPROVER' }));
  const entry = (waiting: string) => page.getByRole('link', { name: `Approvals ${waiting} waiting for you` });
  await expect(entry('more than 99')).toContainText('99+');
  await sql(`delete from approval_request where ${own} and request_no in ('A-many-1', 'A-many-2')`);
  await page.reload();
  await expect(entry('99')).toBeVisible();
  await sql(`delete from approval_request where ${own}`);
});
