import { expect, type Page } from '@playwright/test';
import { approve, colleague, colleagueElsewhere } from './approving-colleagues.ts';
import { violationsOf } from './axe.ts';
import { newMerchant, operatorAlone, visit } from './people.ts';
import { test } from './story.ts';

/** Sets a rule of a merchant, as staff does. */
const setRule = (merchant: string, kind: string) =>
  operatorAlone('approval', 'rule-set', '--merchant', merchant, '--kind', kind, '--role', 'APPROVER');

/** Opens the request of a kind that waits for an approver, who approves it. */
async function approveRow(approver: Page, text: string): Promise<void> {
  const row = approver.getByRole('row').filter({ hasText: text });
  await row.getByRole('link').first().click();
  const drawer = approver.getByRole('dialog', { name: /^Request A/ });
  await expect(
    drawer.getByText('Addresses added').or(drawer.getByText('Key that it replaces')),
  ).toBeVisible();
  expect(await violationsOf(approver)).toEqual([]);
  await drawer.getByRole('button', { name: 'Approve' }).click();
  await approve(approver);
  await expect(approver.getByText('Your approval was recorded.')).toBeVisible();
}

test('two people side by side: a new key and a wider whitelist wait, and appear once they are approved', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const merchant = await newMerchant('access');
  const approver = await colleagueElsewhere(browser, '/approvals?view=mine', 'APPROVER', merchant);
  await setRule(merchant, 'access');
  await colleague(page, '/setting/ipAddress', 'DEVELOPER', merchant);
  await expect(page.getByText('a list with added addresses waits as a whole')).toBeVisible();
  const list = page.getByRole('textbox', { name: 'IP whitelist' });
  await list.fill('203.0.113.7\n203.0.113.8');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('IP whitelist, requested by Test developer.')).toBeVisible();
  // The form shows the list that applies.
  await expect(list).toHaveValue('');
  expect(await violationsOf(page)).toEqual([]);
  await approveRow(approver, '203.0.113.7, 203.0.113.8');
  await expect(list).toHaveValue('203.0.113.7\n203.0.113.8');
  await expect(page.getByText('Waiting for approval')).toHaveCount(0);
  // Less is allowed at once.
  await list.fill('203.0.113.8');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();

  await visit(page, '/setting/interfaceKey');
  await page.getByRole('button', { name: 'Create key' }).click();
  const asking = page.getByRole('dialog', { name: 'Create the first access key' });
  await expect(asking.getByText('The key is made once it is approved.')).toBeVisible();
  await asking.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(page.getByText('New access key, requested by Test developer.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create key' })).toHaveCount(0);
  await visit(approver, '/approvals?view=mine');
  await approveRow(approver, 'Access key, whitelist or endpoint');
  await expect(approver.getByText(/sk_/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(/^sk_/)).toBeVisible();
  await approver.context().close();
});

test('a waiting change is withdrawn by the person who asked, on the page of the setting', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const merchant = await newMerchant('withdrawn');
  const approver = await colleagueElsewhere(browser, '/approvals', 'APPROVER', merchant);
  await setRule(merchant, 'access');
  await colleague(page, '/setting/ipAddress', 'DEVELOPER', merchant);
  await page.getByRole('textbox', { name: 'IP whitelist' }).fill('203.0.113.7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Withdraw request' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw this request?' });
  await dialog.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(page.getByText('Request withdrawn.')).toBeVisible();
  await expect(page.getByText('a list with added addresses waits as a whole')).toBeVisible();
  await expect(approver.getByRole('row').filter({ hasText: '203.0.113.7' })).toContainText('Withdrawn');
  await approver.context().close();
});

test('a rule for settings has no amount', async ({ page, browser }) => {
  test.setTimeout(240_000);
  const merchant = await newMerchant('settings');
  await colleague(page, '/setting/approvals', 'ROOT', merchant);
  const approver = await colleagueElsewhere(browser, '/approvals', 'APPROVER', merchant);
  await page.getByRole('button', { name: 'Change rules' }).click();
  const first = page.getByRole('group', { name: 'Rule 1', exact: true });
  await first.getByLabel('For', { exact: true }).selectOption('Access key, whitelist and endpoints');
  await expect(first.getByLabel('From amount (CNY)')).toHaveCount(0);
  await expect(first.getByText('Covers new keys')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save rules' }).click();
  const saving = page.getByRole('dialog', { name: 'Save these rules?' });
  await saving.getByLabel('Payment password').fill('888888');
  await saving.getByRole('button', { name: 'Save rules' }).click();
  await expect(
    page.getByText('Access key, whitelist and endpoints, every change: approvals needed: 1 (Approver)'),
  ).toBeVisible();
  await approver.context().close();
});
