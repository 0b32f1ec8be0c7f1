import { setTimeout as pause } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { password } from './people.ts';

const stepMs = 30_000;

/** Returns the code of an authenticator app, `steps` 30-second steps from now. */
export function codeOf(secret: string, steps = 0): string {
  const plain = secret.replaceAll(' ', '');
  return new TOTP({ secret: Secret.fromBase32(plain) }).generate({ timestamp: Date.now() + steps * stepMs });
}

/** Binds a second factor on the security page. Returns the secret and the recovery codes. */
export async function bind(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Bind', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await dialog.getByLabel('Login password').fill('wrong');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('Incorrect password.')).toBeVisible();
  await dialog.getByLabel('Login password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  // The interrupted call is repeated automatically.
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = (await page.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()) ?? '';
  // Uses the previous step's code, so that the current and the next one remain for the test. It must not become older before it arrives.
  const leftMs = stepMs - (Date.now() % stepMs);
  if (leftMs < stepMs / 3) await pause(leftMs);
  await page.getByLabel('Verification code').fill(codeOf(secret, -1));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('Google Authenticator has been successfully bound!')).toBeVisible();
  await expect(page.getByText('Two factor authentication enabled')).toBeVisible();
  await expect(page.getByText('Two-factor authentication turned on')).toBeVisible();
  // The recovery codes are shown at once, before anybody can forget them.
  const shown = page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(shown).toHaveCount(8);
  await page.getByRole('button', { name: 'Regenerate codes' }).click();
  await expect(page.getByText('Recovery code has been regenerated')).toBeVisible();
  const codes = await shown.allTextContents();
  return { secret, codes };
}
