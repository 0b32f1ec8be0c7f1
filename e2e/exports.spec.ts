import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { newMerchant, newUser, open, signIn } from './people.ts';
import { test } from './story.ts';

/** Downloads a file by its link, and reads it. */
async function fetchFile(page: Page, link: string): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await page.getByRole('row').nth(1).getByRole('link', { name: link }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

// No color is checked in mid-transition.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a list is exported as shown, followed live, and downloaded', async ({ page }) => {
  await signIn(page, '/collection/payments?status=refunded');
  const shown = await page.getByText(/^\d+ rows/).innerText();
  const count = Number(/\d+/.exec(shown)?.[0]);
  const sum = /¥([\d,]+\.\d\d)/
    .exec(await page.getByText(/Total amount/).innerText())?.[1]
    ?.replaceAll(',', '');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export this list' });
  await expect(dialog.getByText('CSV puts an apostrophe')).toBeVisible();
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([]);
  await dialog.getByLabel('Header language').selectOption('English');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Export task submitted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible();
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Export successful');
  await expect(row).toContainText('Collection transactions · CSV');
  await expect(row).toContainText('Order status: Refund received');
  const { name, bytes } = await fetchFile(page, 'Download');
  expect(name).toMatch(/^Collection transactions E\d+\.csv$/);
  const lines = bytes.toString('utf8').slice(1).trim().split('\r\n');
  expect(lines[0]).toMatch(/^"Order number","Merchant order number","Order status","Amount"/);
  expect(lines).toHaveLength(count + 1);
  const amountAt = lines[0]?.split(',').indexOf('"Amount"') ?? -1;
  const cents = lines
    .slice(1)
    .reduce((total, line) => total + Math.round(Number(line.split(',')[amountAt]) * 100), 0);
  expect((cents / 100).toFixed(2)).toBe(sum);
  const manifest = (await fetchFile(page, 'Manifest')).bytes.toString('utf8');
  expect(manifest).toContain(createHash('sha256').update(bytes).digest('hex'));
  expect(manifest).toContain('Filter by Order status: Refund received');
  expect(await violationsOf(page)).toEqual([]);
});

test('a daily report is exported as a workbook', async ({ page }) => {
  await signIn(page, '/fund/dailyReport');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export this list' });
  await dialog.getByLabel('Excel (XLSX)').check();
  await dialog.getByRole('button', { name: 'Export' }).click();
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Daily reports · XLSX');
  await expect(row).toContainText('Export successful');
  const { name, bytes } = await fetchFile(page, 'Download');
  expect(name).toMatch(/\.xlsx$/);
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
});

for (const [language, title, action] of [
  ['zh-cn', '离线导出', '导出'],
  ['vi', 'Xuất dữ liệu', 'Xuất'],
] as const) {
  test(`exports are shown in ${language}`, async ({ page }) => {
    await open(page, '/collection/payments', language);
    await page.locator('#email').fill('demo@hengfu.test');
    await page.locator('#password').fill('Demo-pass-2026');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: action, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  });
}

test('a list’s filters and columns are saved as a view and restored', async ({ page }) => {
  await signIn(page, '/collection/payments?status=failed');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Fee' }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  const box = page.getByRole('dialog', { name: 'Views' });
  const name = `Failed ${Date.now()}`;
  await box.getByLabel('View name').fill(name);
  await box.getByRole('button', { name: 'Save this view' }).click();
  await expect(box.getByRole('button', { name, exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Fee' })).toBeVisible();
  await page.goto(new URL('/collection/payments', page.url()).href);
  await page.getByRole('button', { name: 'Views' }).click();
  await box.getByRole('button', { name, exact: true }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(page.getByRole('columnheader', { name: 'Fee' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Views' }).click();
  await box.getByRole('button', { name: `Remove “${name}”` }).click();
  await expect(box.getByRole('button', { name, exact: true })).toHaveCount(0);
});

test('the lines of a settlement are exported once: they have no period for a schedule', async ({ page }) => {
  await signIn(page, '/collection/Settlements');
  await page.getByRole('row').nth(1).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export this list' });
  await expect(dialog.getByLabel('Time zone')).toBeVisible();
  await expect(dialog.getByLabel('Frequency')).toHaveCount(0);
});

test('a merchant without exports sees an empty list', async ({ page }) => {
  const merchant = await newMerchant('quiet');
  await signIn(page, '/lineExport', await newUser(merchant));
  await expect(page.getByText('No data export yet')).toBeVisible();
});

test('an export is scheduled under a name, and stopped after a question', async ({ page }) => {
  await signIn(page, '/behalfPay/transfers?status=rejected');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export this list' });
  await expect(dialog.getByLabel('Name')).toHaveCount(0);
  await dialog.getByLabel('Frequency').selectOption('Weekly');
  await expect(dialog.getByLabel('Name')).toHaveValue('Send money history · Weekly');
  await dialog.getByLabel('Name').fill('Rejected payouts');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Scheduled export created')).toBeVisible();
  const section = page.getByRole('region', { name: 'Scheduled exports' });
  const schedule = section.getByRole('listitem');
  await expect(schedule).toContainText('Rejected payouts');
  await expect(schedule).toContainText('Send money history · CSV · Weekly');
  await expect(schedule).toContainText('Status: Rejected');
  expect(await violationsOf(page)).toEqual([]);
  const stop = section.getByRole('button', { name: 'Stop “Rejected payouts”' });
  await stop.click();
  const question = page.getByRole('dialog', { name: 'Stop “Rejected payouts”?' });
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(schedule).toBeVisible();
  await stop.click();
  await question.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Scheduled export stopped')).toBeVisible();
  await expect(section).toHaveCount(0);
});
