import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { sql } from './database.sql.ts';
import { type demo, newUser, operator, signIn } from './people.ts';
import { test } from './story.ts';

const merchant = 'tables';
const orders = 30;
let user: typeof demo;

test.beforeAll(async () => {
  await operator(
    ...['merchant', 'create', '--code', merchant, '--name', 'Tables'],
    ...['--currency', 'CNY', '--zone', 'Asia/Shanghai'],
  );
  user = await newUser(merchant);
  await sql(`insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, currency, amount_minor,
      cashier_token, created_at, expires_at)
    select m.id, 'C-table-' || to_char(n, 'FM00'), case when n = 1 then '=1+1' else 'T' || n end, '', 'closed', 'CNY', n * 100,
      'table' || n, now() - n * interval '1 minute', now()
    from merchant m, generate_series(1, ${orders}) n where m.code = '${merchant}'`);
});

const rowsOf = (page: Page) => page.locator('tbody tr');
const boxOf = (page: Page, number: string) => page.getByRole('checkbox', { name: `Select ${number}` });
const total = (page: Page) => page.locator('tfoot');

async function openList(page: Page): Promise<void> {
  await signIn(page, '/collection/payments', user);
  await expect(rowsOf(page)).toHaveCount(20);
}

test('rows are marked one by one, in a range and all at once, and their sum is shown', async ({ page }) => {
  await openList(page);
  await expect(total(page)).toHaveText(/Total of 20 rows on this page.*¥210\.00/);
  await boxOf(page, 'C-table-02').check();
  await boxOf(page, 'C-table-05').click({ modifiers: ['Shift'] });
  await expect(page.getByText('Rows selected: 4')).toBeVisible();
  await expect(total(page)).toHaveText(/Total of 4 selected rows.*¥14\.00/);
  await boxOf(page, 'C-table-03').uncheck();
  await expect(total(page)).toHaveText(/¥11\.00/);

  const all = page.getByRole('checkbox', { name: 'Select all rows on this page' });
  expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
  await all.check();
  await expect(page.getByText('Rows selected: 20')).toBeVisible();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByText('Rows selected')).toBeHidden();

  // Tab stops once, and the arrow keys go from row to row.
  await all.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(boxOf(page, 'C-table-02')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByText('Rows selected: 1')).toBeVisible();
  await page.keyboard.press('Space');

  // Marking opens no detail, and another page begins with nothing marked.
  expect(page.url()).not.toContain('open=');
  await boxOf(page, 'C-table-02').check();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(rowsOf(page)).toHaveCount(10);
  await expect(page.getByText('Rows selected')).toBeHidden();
  await page.goBack();
  await expect(rowsOf(page)).toHaveCount(20);
});

test('marked rows are copied and saved, and no cell of them runs in a spreadsheet', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openList(page);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await boxOf(page, 'C-table-01').check();
  await boxOf(page, 'C-table-02').check();
  await page.getByRole('button', { name: 'Copy numbers' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await copied()).toBe('C-table-01\nC-table-02');

  await page.getByRole('button', { name: 'Copy rows' }).click();
  await expect.poll(copied).toContain('\t');
  const [headings, first] = (await copied()).split('\n').map((line) => line.split('\t'));
  expect(headings?.slice(0, 4)).toEqual(['Order number', 'Merchant order number', 'Order status', 'Amount']);
  expect(first?.slice(0, 4)).toEqual(['C-table-01', "'=1+1", 'Closed', '¥1.00']);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('collections.csv');
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^\ufeff"Order number","Merchant order number"/);
  expect(lines[1]).toMatch(/^"C-table-01","'=1\+1","Closed","¥1\.00"/);
});

test('a column is made wider by dragging and by the keyboard, and stays so', async ({ page }) => {
  await openList(page);
  const heading = page.getByRole('columnheader', { name: 'Merchant order number', exact: true });
  const handle = heading.locator('[data-column]');
  const width = async () => Math.round((await heading.boundingBox())?.width ?? 0);
  const before = await width();
  const edge = await handle.boundingBox();
  if (!edge) throw new Error('the column has no edge');
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 300, y, { steps: 5 });
  await page.mouse.up();
  const dragged = await width();
  expect(Math.abs(dragged - before - 300)).toBeLessThan(4);
  expect(page.url()).not.toContain('open=');

  const tools = page.getByRole('button', { name: 'Columns' });
  await tools.click();
  await page.getByRole('slider', { name: 'Width of column: Merchant order number' }).focus();
  for (const _press of [1, 2, 3]) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  await expect.poll(width).toBeLessThan(dragged - 10);
  const kept = await width();
  await page.reload();
  await expect(rowsOf(page)).toHaveCount(20);
  expect(Math.abs((await width()) - kept)).toBeLessThan(2);

  // The table now scrolls, and the first column stays in view.
  const first = rowsOf(page).first().locator('td').first();
  const left = (await first.boundingBox())?.x;
  const region = page.getByRole('region', { name: 'Transactions' });
  await region.evaluate((element) => element.scrollBy({ left: 200 }));
  expect(await region.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  expect((await first.boundingBox())?.x).toBe(left);

  await tools.click();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await expect.poll(async () => Math.abs((await width()) - before)).toBeLessThan(4);
});
