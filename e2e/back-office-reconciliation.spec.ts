import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { movementsOf } from './database.sql.ts';
import { enter } from './office.ts';
import { test } from './story.ts';

const amountOf = (minor: bigint) => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Explains the only difference of a kind. */
async function explain(page: Page, kind: string, note: string): Promise<void> {
  await page.getByRole('button', { name: `${kind} (1)` }).click();
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Explain this difference' });
  await dialog.getByLabel('Note').fill(note);
  await dialog.getByRole('button', { name: 'Explain' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('cell', { name: note })).toBeVisible();
}

/** The pages have no violations, and are as wide as the window. */
async function isSound(page: Page): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsOf(page), `at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a statement is uploaded, its differences are explained, and the day is closed', async ({ page }) => {
  await enter(page, '/reconciliation');
  await expect(page.getByRole('heading', { name: 'Reconciliation' })).toBeVisible();
  const day = await page.evaluate(() => {
    const at = new Date();
    at.setDate(at.getDate() - 1);
    return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  });
  // One movement is not on the statement, and one has a cent too much.
  const [missing, wrong, ...others] = await movementsOf('CN_BANK', day);
  if (!missing || !wrong) throw new Error(`nothing moved on ${day}`);
  const lines = [{ ...wrong, minor: wrong.minor + 1n }, ...others];
  const rows = lines.map(({ reference, minor }) => `${day};${reference};${amountOf(minor)}`);
  const file = ['Bank', 'Date;Order;Amount', ...rows, ''].join('\n');
  await page.getByRole('button', { name: 'Upload statement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a statement' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'yesterday.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await dialog.getByLabel('Cells are separated by').selectOption('Semicolon');
  await dialog.getByLabel('Row with the headings').fill('2');
  await expect(dialog.getByRole('columnheader', { name: 'Order' })).toBeVisible();
  // The headings propose the columns.
  for (const [label, heading] of [
    ['Column with our order number', 'Order'],
    ['Column with the amount', 'Amount'],
    ['Column with the date', 'Date'],
  ] as const)
    await expect(dialog.getByLabel(label)).toHaveValue(heading);
  await dialog.getByLabel('Column with the amount').selectOption('None');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Please choose a column.')).toBeVisible();
  await dialog.getByLabel('Column with the amount').selectOption('Amount');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Upload statement' }).click();

  await expect(page.getByRole('button', { name: 'All differences (2)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ours only (1)' })).toBeVisible();
  await page.getByRole('button', { name: 'Close day' }).click();
  const closing = page.getByRole('dialog', { name: 'Close this day?' });
  await closing.getByRole('button', { name: 'Close day' }).click();
  await expect(closing.getByText('Some differences are neither explained nor adjusted yet.')).toBeVisible();
  await closing.getByRole('button', { name: 'Cancel' }).click();
  await isSound(page);
  await explain(page, 'Ours only', 'The bank books it by hand tomorrow.');
  await explain(page, 'Different amount', 'The bank has confirmed its mistake.');
  await page
    .getByRole('button', { name: `All lines of the statement (${lines.length.toLocaleString('en')})` })
    .click();
  await page.getByRole('searchbox', { name: 'Search by number' }).fill(wrong.reference);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('cell', { name: 'Different amount' })).toBeVisible();
  await page.getByRole('button', { name: 'Close day' }).click();
  await closing.getByRole('button', { name: 'Close day' }).click();
  await expect(page.getByText('Closed').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close day' })).toBeHidden();
  await page.getByRole('link', { name: 'All days' }).click();
  await expect(page.getByRole('row', { name: /China bank transfer.*Closed/ })).toBeVisible();
  await isSound(page);
});
