import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { enter } from './office.ts';
import { open, password, productUrl } from './people.ts';
import { test } from './story.ts';

test('a merchant is created, joined by its owner, and suspended, which its open page says at once', async ({
  context,
  page: owner,
}) => {
  const code = `acme-${Date.now().toString(36)}`;
  const office = await context.newPage();
  await enter(office, '/merchants');
  await office.getByRole('link', { name: 'Create a merchant' }).click();
  const form = office.getByRole('main');
  await form.getByLabel('Code', { exact: true }).fill('Not a code');
  await form.getByRole('button', { name: 'Create a merchant' }).click();
  await expect(form.getByText(/^Use 2 to 32 lowercase letters/)).toBeVisible();
  await form.getByLabel('Code', { exact: true }).fill(code);
  await form.getByLabel('Name', { exact: true }).fill('Acme Trading');
  await form.getByLabel('Currency', { exact: true }).selectOption('VND');
  await expect(form.getByLabel('Time zone')).toContainText('Asia/Ho_Chi_Minh');
  await form.getByLabel('Daily settlement at').fill('02:30');
  await form.getByLabel('Email of the owner').fill(`owner@${code}.test`);
  await form.getByRole('button', { name: 'Create a merchant' }).click();
  const url = await office.getByText(/\/invitation\//).innerText();

  // The link leads to the console, where the owner chooses a password.
  expect(url.startsWith(productUrl())).toBe(true);
  await open(owner, new URL(url).pathname);
  await owner.getByLabel('Your name').fill('Lan');
  await owner.getByLabel('Password', { exact: true }).fill(password);
  await owner.getByLabel('Repeat the password').fill(password);
  await owner.getByRole('button', { name: 'Join the team' }).click();
  await expect(owner.getByText('Acme Trading').first()).toBeVisible();

  await office.getByRole('link', { name: 'Open the merchant' }).click();
  await expect(office.getByRole('heading', { name: 'Acme Trading' })).toBeVisible();
  const parts = office.getByRole('navigation', { name: 'Parts of the merchant' });
  await parts.getByRole('link', { name: 'People' }).click();
  const row = office.getByRole('row', { name: /Lan/ });
  await expect(row.getByText('Owner', { exact: true })).toBeVisible();
  // Nobody is locked out.
  await expect(row.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expect(row.getByRole('button', { name: 'Unlock' })).toBeHidden();

  await parts.getByRole('link', { name: 'Notes' }).click();
  await office.getByLabel('New note').fill('Called about the contract.');
  await office.getByRole('button', { name: 'Add note' }).click();
  await expect(office.getByRole('listitem').getByText('Called about the contract.')).toBeVisible();

  await parts.getByRole('link', { name: 'Terms' }).click();
  await office.getByRole('button', { name: 'New fees' }).click();
  const fees = office.getByRole('dialog', { name: 'New fees' });
  await fees.getByLabel('Rate per collection (%)').fill('0.6');
  await fees.getByLabel('Rate per payout (%)').fill('0.2');
  await fees.getByRole('button', { name: 'Yesterday under these terms' }).click();
  await expect(fees.getByRole('row', { name: /^Collections 0/ })).toBeVisible();
  expect(await violationsOf(office)).toEqual([]);
  await fees.getByLabel('Reason').fill('First contract');
  await fees.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(office.getByText('The request waits for a second person.')).toBeVisible();

  await office.getByRole('button', { name: 'Suspend', exact: true }).click();
  const dialog = office.getByRole('dialog', { name: 'Suspend Acme Trading?' });
  await dialog.getByLabel('Reason').fill('Owner called: stolen laptop');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(office.getByText(/Suspended by .*: Owner called: stolen laptop/)).toBeVisible();
  await expect(owner.getByRole('dialog', { name: /please log in again$/ })).toBeVisible();

  await parts.getByRole('link', { name: 'Audit' }).click();
  await expect(office.getByRole('cell', { name: 'Owner called: stolen laptop' })).toBeVisible();
  await office.getByRole('button', { name: 'Reactivate' }).click();
  const ask = office.getByRole('dialog', { name: 'Reactivate Acme Trading?' });
  await ask.getByLabel('Reason').fill('New laptop, new keys');
  await ask.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(office.getByText('The request waits for a second person.').last()).toBeVisible();
  await expect(ask).toBeHidden();
  await expect(office.getByText('Suspended', { exact: true })).toBeVisible();
});

test('the list of merchants is searched and filtered', async ({ page }) => {
  await enter(page, '/merchants');
  await page.getByLabel('Code or name').fill('DEMO');
  await page.getByLabel('Code or name').press('Enter');
  await expect(page.getByRole('link', { name: 'demo', exact: true })).toBeVisible();
  await page.getByLabel('Currency').selectOption('BRL');
  await expect(page.getByText('No merchant matches.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No merchant matches.')).toBeVisible();
});
