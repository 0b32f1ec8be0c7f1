import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { backOfficeUrl, open, operatorAlone } from './people.ts';
import { test } from './story.ts';
import { withAuthenticator } from './virtual-passkey.ts';

test('a passkey is added, completes a sign-in of the back office, and is removed with itself', async ({
  page,
}) => {
  const email = `key-${Date.now()}@hengfu.test`;
  const made = await operatorAlone('staff', 'create', '--email', email, '--name', 'Key', '--role', 'SUPPORT');
  const password = String(made.password);
  // Passkeys are bound to a host name.
  const site = backOfficeUrl().replace('127.0.0.1', 'localhost');
  await withAuthenticator(page);
  const signIn = async () => {
    await open(page, '/account', 'en', site);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn();
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('Please enter a name.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  await expect(section.getByRole('cell', { name: 'Laptop', exact: true })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await page.context().clearCookies();
  await signIn();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await section.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(section.getByRole('cell', { name: 'Laptop', exact: true })).toBeHidden();
});
