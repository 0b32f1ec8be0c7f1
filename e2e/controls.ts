import type { Page } from '@playwright/test';

/** Chooses an option of a combobox by searching for it. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  const box = page.getByRole('dialog', { name: label, exact: true });
  await box.getByRole('combobox').fill(option);
  await box.getByRole('option', { name: option, exact: true }).click();
}

/** Types a day, `YYYY-MM-DD`, into a date field. */
export async function enterDay(page: Page, label: string, day: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  const box = page.getByRole('dialog', { name: label, exact: true });
  await box.getByRole('textbox').fill(day);
  await box.getByRole('textbox').press('Enter');
}
