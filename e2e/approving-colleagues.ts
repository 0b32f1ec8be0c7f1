import { type Browser, expect, type Page } from '@playwright/test';
import { newUser, password, productUrl, signIn, visit } from './people.ts';
import { withAuthenticator } from './virtual-passkey.ts';

export const paymentPassword = '888888';
/** The product by host name, which passkeys are bound to. */
const productByName = () => productUrl().replace('127.0.0.1', 'localhost');

/** Confirms the login password in the dialog that asks for it. */
async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await dialog.getByLabel('Login password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

/** Sets a payment password, which everybody has who sends or approves payments. */
async function setPaymentPassword(page: Page): Promise<void> {
  await visit(page, '/setting/paymentPassword');
  await page.getByLabel('New payment password', { exact: true }).fill(paymentPassword);
  await page.getByLabel('Confirm new payment password').fill(paymentPassword);
  await page.getByRole('button', { name: 'Set payment password' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
}

/** Signs in as a new person with a passkey and, unless it is a developer, a payment password, and arrives at a path. */
export async function colleague(page: Page, path: string, role: string, merchant = 'demo'): Promise<void> {
  const user = await newUser(merchant, { role, name: `Test ${role.toLowerCase()}` });
  await withAuthenticator(page);
  await signIn(page, '/setting/accountSecurity', user, productByName());
  await page.getByRole('region', { name: 'Passkeys' }).getByRole('button', { name: 'Add a passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Name').fill('Laptop');
  await adding.getByRole('button', { name: 'Continue' }).click();
  await confirmPassword(page);
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Passkey added')).toBeVisible();
  if (role !== 'DEVELOPER') await setPaymentPassword(page);
  await visit(page, path);
}

export async function colleagueElsewhere(
  browser: Browser,
  path: string,
  role: string,
  merchant?: string,
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await colleague(page, path, role, merchant);
  return page;
}

/** Enters the payment password; the passkey is asked for by the browser. */
export async function approve(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Approve this request?' });
  await dialog.getByLabel('Payment password').fill(paymentPassword);
  await dialog.getByRole('button', { name: 'Approve' }).click();
}
