import { expect, type Page } from '@playwright/test';
import { violationsInThemes } from './axe.ts';
import { backOfficeUrl, open } from './people.ts';

/** The demo's account of our staff that may do everything. */
export const staffCredentials = { email: 'staff@hengfu.test', password: 'Demo-staff-2026' };

/** Signs in to the back office, and arrives at a path. */
export async function enter(page: Page, path: string, { email, password } = staffCredentials): Promise<void> {
  await open(page, path, 'en', backOfficeUrl());
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeVisible();
}

/** Checks that axe finds no violations on a page in either theme, and that it fits a screen and a phone. */
export async function expectFit(page: Page, name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsInThemes(page), `${name} at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
}

/** Does so for pages, each of which shows a text. */
export async function expectPagesFit(
  page: Page,
  pages: readonly (readonly [path: string, shown: string])[],
): Promise<void> {
  for (const [path, shown] of pages) {
    await page.goto(backOfficeUrl() + path);
    await expect(page.getByText(shown).first()).toBeVisible();
    await expectFit(page, path);
  }
}
