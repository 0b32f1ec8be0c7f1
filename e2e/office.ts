import { expect, type Page } from '@playwright/test';
import { backOfficeUrl, open } from './people.ts';

/** The demo's account of our staff that may do everything. */
export const staffCredentials = { email: 'staff@hengfu.test', password: 'Demo-staff-2026' };

/** Signs in to the back office, and arrives at a path. */
export async function enter(page: Page, path: string, { email, password } = staffCredentials): Promise<void> {
  await open(page, path, 'en', backOfficeUrl());
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
}
