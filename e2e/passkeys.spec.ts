import { expect } from '@playwright/test';
import { newMerchant, newUser, open, password, productUrl, signIn, signOut } from './people.ts';
import { test } from './story.ts';
import { withAuthenticator } from './virtual-passkey.ts';

/** The product by host name, which passkeys are bound to. */
const productByName = () => productUrl().replace('127.0.0.1', 'localhost');

test('a passkey is added, required at sign-in and for the access key, and removed', async ({ page }) => {
  const merchant = await newMerchant('passkeys');
  const user = await newUser(merchant);
  await withAuthenticator(page);
  await signIn(page, '/setting/accountSecurity', user, productByName());
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  // Before the browser asks for a passkey, or the server for a password.
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('Please enter a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const passwordDialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await passwordDialog.getByLabel('Login password').fill(password);
  await passwordDialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Passkey added')).toBeVisible();
  await expect(section.getByText('Laptop')).toBeVisible();
  await expect(section.getByText('not used yet')).toBeVisible();

  await signOut(page);
  await open(page, '/login?redirect=/setting/interfaceKey', 'en', productByName());
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  const use = page.getByRole('button', { name: 'Use a passkey' });
  await expect(use).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Access key' }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Create key' }).click();
  const create = page.getByRole('dialog', { name: 'Create the first access key' });
  await expect(create.getByText('You will be asked for your passkey.')).toBeVisible();
  await create.getByRole('button', { name: 'Create key' }).click();
  await passwordDialog.getByLabel('Login password').fill(password);
  await passwordDialog.getByRole('button', { name: 'Confirm' }).click();
  const secret = page.getByText(/^sk_[0-9a-f]{48}$/);
  await expect(secret).toBeVisible();
  const first = await secret.textContent();
  await page.getByRole('button', { name: 'Regenerate' }).click();
  const regenerate = page.getByRole('dialog', { name: 'Regenerate the access key?' });
  await regenerate.getByLabel('24 hours').check();
  await regenerate.getByRole('button', { name: 'Regenerate' }).click();
  await expect(secret).not.toHaveText(first ?? '');
  await expect(page.getByText(/stays valid until/)).toBeVisible();

  await page.goto(`${productByName()}/setting/accountSecurity`);
  await expect(section.getByText(/last used/)).toBeVisible();
  await section.getByRole('button', { name: 'Remove Laptop' }).click();
  await expect(
    page.getByRole('region', { name: 'Notifications' }).getByText('Passkey removed'),
  ).toBeVisible();
  await expect(section.getByRole('button', { name: 'Add a passkey' })).toBeFocused();
  await expect(section.getByText('Laptop')).toHaveCount(0);
});

test('a page opened by its IP address says that passkeys do not work there, and accepts a recovery code', async ({
  page,
}) => {
  const user = await newUser();
  await withAuthenticator(page);
  await signIn(page, '/setting/accountSecurity', user, productByName());
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('Left at home');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const passwordDialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await passwordDialog.getByLabel('Login password').fill(password);
  await passwordDialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Passkey added')).toBeVisible();
  const code = await page
    .getByRole('region', { name: 'Recovery codes' })
    .getByRole('listitem')
    .first()
    .textContent();

  // The same user on a page where passkeys cannot work: its address has no host name.
  await open(page, '/login', 'en');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'Passkeys do not work when you open this page by its IP address',
  );
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});
