import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { newMerchant, newUser, open, password, signIn, visit } from './people.ts';
import { test } from './story.ts';

test('a change of a setting is in the audit log, with what it was before', async ({ page }) => {
  test.setTimeout(180_000);
  const merchant = await newMerchant('audited');
  const admin = await newUser(merchant);
  await signIn(page, '/setting/ipAddress', admin);
  await page.getByRole('textbox', { name: 'IP whitelist' }).fill('203.0.113.7');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await dialog.getByLabel('Login password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();

  await visit(page, '/setting/auditLog');
  const rows = page.getByRole('table').getByRole('row');
  const changed = rows.filter({ hasText: 'IP whitelist changed' }).first();
  await expect(changed).toContainText('Allowed addresses: 203.0.113.7/32');
  await changed.getByRole('link', { name: 'IP whitelist changed' }).click();
  const entry = page.getByRole('dialog');
  await expect(entry.getByText('Administrator')).toBeVisible();
  await expect(entry.getByText(admin.email)).toBeVisible();
  await expect(entry.getByRole('row', { name: /Allowed addresses/ })).toContainText('203.0.113.7/32');
  expect(await violationsOf(page)).toEqual([]);

  // The address of an entry leads to it, whatever the list shows.
  const address = new URL(page.url());
  await open(page, `${address.pathname}${address.search}&action=session_sign_in`);
  await expect(page.getByRole('dialog').getByRole('row', { name: /Allowed addresses/ })).toBeVisible();
});

test('the audit log is not open to somebody who only reads', async ({ page }) => {
  const merchant = await newMerchant('unaudited');
  await signIn(page, '/dashboard', await newUser(merchant, { role: 'MERCHANT_VIEWER' }));
  await open(page, '/setting/auditLog');
  await expect(page).toHaveURL(/\/403$/);
});

test('the detail of a top-up leads to all that was done to it', async ({ page }) => {
  await signIn(page, '/recharge/record');
  await page.getByRole('table').getByRole('link').first().click();
  const detail = page.getByRole('dialog');
  await detail.getByRole('link', { name: 'Audit log of this object' }).click();
  await expect(page).toHaveURL(/\/setting\/auditLog\?subject=T\d+/);
  await expect(page.getByRole('table').getByText('Top-up submitted')).toBeVisible();
});

test('a search that the archive is too large for says how far it has come, and continues', async ({
  page,
}) => {
  // Pretends that months are archived, which `server/src/features/audit-log/audit-archive.test.ts` really does.
  await page.route(/\/api\/merchant\/audit-log\?/, async (route) => {
    const response = await route.fetch();
    const isContinued = new URL(route.request().url()).searchParams.has('cursor');
    const stopped = { data: [], next: 'biwwLDE', searchedTo: '2026-05-01T00:00:00.000Z' };
    await route.fulfill({ response, json: { ...(await response.json()), ...(!isContinued && stopped) } });
  });
  await signIn(page, '/setting/auditLog?subject=T1');
  await expect(page.getByText('The archive has been searched back to May 01, 2026, 08:00.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Older' })).toBeEnabled();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Search earlier entries' }).click();
  await expect(page).toHaveURL(/subject=T1&cursor=biwwLDE/);
  await expect(page.getByText('The archive has been searched back')).toHaveCount(0);
});
