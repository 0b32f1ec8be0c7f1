import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { choose } from './controls.ts';
import { newUser, signIn } from './people.ts';
import { test } from './story.ts';
import { workbook } from './workbook.ts';

const paymentPassword = '888888';
/** A new account each time, because a repeated payment within 24 hours needs confirmation. */
let accounts = 0;
const account = () => `98765432${String(++accounts).padStart(4, '0')}`;
const headings = '收款人,收款账号,银行,金额,商户订单号,工号';

interface CsvFile {
  name: string;
  rows: readonly string[];
}

async function upload(page: Page, { name, rows }: CsvFile): Promise<void> {
  const buffer = Buffer.from([headings, ...rows].join('\r\n'));
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await expect(page.getByRole('heading', { name: `Rows in ${name}` })).toBeVisible();
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Pay this batch?' });

async function pay(page: Page, button = 'Pay all rows'): Promise<void> {
  await page.getByRole('button', { name: /^Continue/ }).click();
  await dialog(page).getByLabel('Payment password').fill(paymentPassword);
  await dialog(page).getByRole('button', { name: button }).click();
}

/** Discards the draft, and confirms that its rows are lost. */
async function discard(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Discard' }).click();
  await page
    .getByRole('dialog', { name: `Discard “${name}”?` })
    .getByRole('button', { name: 'Discard' })
    .click();
}

// No color is checked in mid-transition.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a file is corrected in place, paid, followed live, and its failed rows are sent again', async ({
  page,
}) => {
  await signIn(page, '/behalfPay/apply');
  await page.getByRole('link', { name: 'Batch payout' }).click();
  const [first, second, large] = [account(), account(), account()];
  const rows = [
    `林小雨,${first},中国工商银行,"1,200.50",,1`,
    `周子涵,${second},Nowhere,12.345,,2`,
    `林小雨,${first.slice(0, 4)} ${first.slice(4)},ICBC,1200.50,,3`,
    `赵四,${large},ABC,9000000,,4`,
    '韩梅梅,6.2170012345E+18,招商银行,900.00,,5',
  ];
  await upload(page, { name: 'salaries.csv', rows });
  await expect(page.getByLabel('工号')).toHaveValue('');
  await expect(page.getByText('For example: 1', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Your spreadsheet dropped digits from this number.', { exact: false }),
  ).toBeVisible();
  await expect(
    page.getByText('Before you continue, correct or exclude the rows with errors: 2.'),
  ).toBeVisible();
  await expect(page.getByText('Identical to row 1')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Continue/ })).toBeDisabled();
  // Nothing claims that all rows are covered while some of them are wrong.
  await expect(page.getByText(/cover all rows/)).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
  // Shows only the rows with errors, which stay listed while they are being corrected.
  await page.getByRole('button', { name: 'Needs correction 2' }).click();
  await page.getByLabel('Row 2, Amount').fill('12.34');
  await choose(page, 'Row 2, Bank', 'China Merchants Bank');
  await expect(page.getByLabel('Row 2, Bank name')).toHaveValue('招商银行');
  await page.getByRole('button', { name: 'Exclude row 5' }).click();
  await page.getByRole('button', { name: 'Confirm all 1' }).click();
  await expect(page.getByText(/^3 of 4 rows can be paid now; top up [\d,]+\.\d{2}\sUSDT/)).toBeVisible();
  await pay(page);
  await expect(page.getByText('Application successful')).toBeVisible();
  await expect(page.getByText('4 of 4 rows', { exact: true })).toBeVisible();
  await expect(page.getByText('All rows have been processed')).toBeVisible();
  await expect(page.getByText('Rows without a payout: 1.', { exact: false })).toBeVisible();
  await page.getByRole('link', { name: 'View payouts' }).click();
  await expect(page.locator('tbody tr')).toHaveCount(3);
  await expect(page.getByRole('row').filter({ hasText: '周子涵' })).toContainText('12.34');
  await page.goBack();
  await page.getByRole('link', { name: 'Correct failed rows' }).click();
  await expect(page.getByText('Insufficient available funds.')).toBeVisible();
  await page.getByLabel('Row 4, Amount').fill('9.00');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your available funds cover all rows.')).toBeVisible();
  await pay(page);
  await expect(page.getByText('1 of 1 row', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'New batch' }).click();
  // Other stories may have paid batches before.
  await expect(page.getByRole('row').nth(1)).toContainText('Failed rows from');
  await expect(page.getByRole('row').nth(2)).toContainText('salaries.csv');
});

test('rows that were read from a file are lost only after a question', async ({ page }) => {
  await signIn(page, '/behalfPay/apply?mode=batch');
  // One row is paid; the other one is too large, and fails.
  await upload(page, {
    name: 'first.csv',
    rows: [`李四,${account()},ICBC,1.00,,`, `王五,${account()},ICBC,9000000,,`],
  });
  await pay(page, 'Pay all rows');
  await expect(page.getByText('Rows without a payout: 1.', { exact: false })).toBeVisible();
  await page.getByRole('link', { name: 'New batch' }).click();
  await upload(page, { name: 'second.csv', rows: [`赵六,${account()},ICBC,2.00,,`] });
  await page.getByLabel('Row 1, Amount').fill('3.00');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Discard' }).click();
  const losing = page.getByRole('dialog', { name: 'Discard “second.csv”?' });
  await expect(losing).toContainText('Rows: 1.');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([]);
  await losing.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByLabel('Row 1, Amount')).toHaveValue('3.00');
  await page.setViewportSize({ width: 1280, height: 800 });

  const mend = async () => {
    await page.goBack();
    await page.getByRole('link', { name: 'Correct failed rows' }).click();
  };
  const replacing = page.getByRole('dialog', { name: 'Replace the batch you have started?' });
  await mend();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(replacing).toContainText('“second.csv” (rows: 1) has not been paid yet.');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Row 1, Amount')).toHaveValue('3.00');
  await page.setViewportSize({ width: 1280, height: 800 });
  await mend();
  await replacing.getByRole('button', { name: 'Replace it' }).click();
  await expect(page.getByRole('heading', { name: /^Rows in Failed rows from/ })).toBeVisible();
  await expect(page.getByLabel('Row 2, Amount')).toHaveValue('9000000');
  await expect(replacing).toHaveCount(0);
});

test('a heading of the merchant’s own is mapped to a column, and remembered for its other users', async ({
  page,
  browser,
}) => {
  const name = 'payroll.csv';
  const file = () => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(`姓名,入账卡,银行,实发\r\n王芳,${account()},ICBC,3.10\r\n李雷,${account()},ICBC,x`),
  });
  await signIn(page, '/behalfPay/apply?mode=batch');
  await page.locator('input[type=file]').setInputFiles(file());
  await expect(page.getByText('correct or exclude the rows with errors: 2.')).toBeVisible();
  await expect(page.getByText('For example: 3.10')).toBeVisible();
  await page.getByLabel('入账卡').selectOption('Receiving account');
  // A field that has a column is offered to no other.
  await expect(page.getByLabel('实发').getByRole('option', { name: 'Receiving account' })).toHaveCount(0);
  await page.getByLabel('实发').selectOption('Amount');
  await expect(page.getByLabel('Row 1, Amount')).toHaveValue('3.10');
  await expect(page.getByText('correct or exclude the rows with errors: 1.')).toBeVisible();
  await expect(page.getByText('Your available funds cover the rows without errors.')).toBeVisible();
  await expect(page.getByText('Your available funds cover all rows.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Exclude row 2' }).click();
  await expect(page.getByText('Your available funds cover all rows.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  const other = await browser.newContext();
  const colleague = await other.newPage();
  await signIn(colleague, '/behalfPay/apply?mode=batch', await newUser());
  await colleague.locator('input[type=file]').setInputFiles(file());
  await expect(colleague.getByLabel('入账卡')).toHaveValue('payeeAccount');
  await expect(colleague.getByLabel('Row 1, Receiving account')).toHaveValue(/^9876/);
  await colleague.getByLabel('实发').selectOption('Not used');
  await expect(colleague.getByLabel('Row 1, Amount')).toHaveValue('');
  await other.close();
});

test('the first digits of a card fill in its bank, until another one is chosen', async ({ page }) => {
  await signIn(page, '/behalfPay/apply?mode=batch');
  await upload(page, {
    name: 'cards.csv',
    rows: [`李四,${account()},,1.00,,`, `王五,${account()},ICBC,2.00,,`],
  });
  const bank = (row: number) => page.getByRole('combobox', { name: `Row ${row}, Bank`, exact: true });
  const card = (row: number) => page.getByLabel(`Row ${row}, Receiving account`, { exact: true });
  await card(1).fill('6217000012345678907');
  await card(1).press('Enter');
  await expect(bank(1)).toHaveText('China Construction Bank');
  await expect(page.getByLabel('Row 1, Bank name')).toHaveValue('中国建设银行');
  await card(1).fill('6222020012345678903');
  await card(1).press('Enter');
  await expect(bank(1)).toHaveText('Industrial and Commercial Bank of China');
  await choose(page, 'Row 1, Bank', 'Agricultural Bank of China');
  await card(1).fill('6217000012345678907');
  await card(1).press('Enter');
  // The file's bank stays, too.
  await card(2).fill('6217000012345678915');
  await card(2).press('Tab');
  await expect(card(2)).toHaveValue('6217000012345678915');
  await expect(page.getByRole('button', { name: 'Needs correction 0' })).toBeVisible();
  await expect(bank(1)).toHaveText('Agricultural Bank of China');
  await expect(bank(2)).toHaveText('Industrial and Commercial Bank of China');
});

test('a repeated file is detected, and paid only after confirmation', async ({ page }) => {
  await signIn(page, '/behalfPay/apply?mode=batch');
  const file = { name: 'again.csv', rows: [`王芳,${account()},ICBC,3.10,,1`] };
  await upload(page, file);
  await pay(page);
  await expect(page.getByText('1 of 1 row', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'New batch' }).click();
  await upload(page, { ...file, name: 'renamed.csv' });
  await expect(page.getByText(/^Identical to P\d+/)).toBeVisible();
  await expect(async () => {
    await page.getByRole('button', { name: 'Pay anyway' }).click({ timeout: 1000 });
  }).toPass();
  await page.getByRole('button', { name: /^Continue/ }).click();
  await expect(dialog(page).getByText(/The same rows were already submitted as batch B\d+/)).toBeVisible();
  await page.keyboard.press('Escape');
  await pay(page, 'Pay again');
  await expect(page.getByText('1 of 1 row', { exact: true })).toBeVisible();
});

test('templates and tables are read, and other files refused', async ({ page }) => {
  await signIn(page, '/behalfPay/apply?mode=batch');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Excel template' }).click();
  const template = await (await download).path();
  const upload = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await upload('template.xlsx', await readFile(template));
  await expect(page.getByText('There are no rows below the header row.')).toBeVisible();
  await upload('x.csv', Buffer.from('a,b\n1,2\n'));
  await expect(page.getByText('No column headers found.', { exact: false })).toBeVisible();
  await upload('x.xlsx', Buffer.from('PK and then nothing of the kind'));
  await expect(page.getByText('This file could not be read.', { exact: false })).toBeVisible();
  // CSV as Excel writes it in China (GBK).
  const gbk = Buffer.from([
    0xca, 0xd5, 0xbf, 0xee, 0xc8, 0xcb, 0x2c, 0xbd, 0xf0, 0xb6, 0xee, 0x0a, 0x41, 0x42, 0x2c, 0x35,
  ]);
  await upload('gbk.csv', gbk);
  await expect(page.getByLabel('Row 1, Payee')).toHaveValue('AB');
  await expect(page.getByLabel('Row 1, Amount')).toHaveValue('5');
  await discard(page, 'gbk.csv');
  const rows = Array.from({ length: 10_001 }, (_, index) => `Ann Lee,12345678${index},ICBC,1,,`);
  await upload('long.csv', Buffer.from([headings, ...rows].join('\n')));
  await expect(page.getByText('This file has 10,001 rows.', { exact: false })).toBeVisible();
});

test('a workbook of ten thousand rows is read', async ({ page }) => {
  await signIn(page, '/behalfPay/apply?mode=batch');
  const rows = Array.from({ length: 10_000 }, (_, index) => [
    'Ann Lee',
    `55${String(index).padStart(8, '0')}`,
    '1.00',
  ]);
  const upload = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await upload('many.xlsx', workbook([['Payee', 'Receiving account', 'Amount'], ...rows]));
  await expect(page.getByLabel('Row 1, Payee')).toHaveValue('Ann Lee', { timeout: 20_000 });
});

test('ten thousand rows are read, checked and scrolled through', async ({ page }) => {
  await signIn(page, '/behalfPay/apply?mode=batch');
  const rows = Array.from(
    { length: 10_000 },
    (_, index) => `Ann Lee,55${String(index).padStart(8, '0')},ICBC,1.00,,`,
  );
  await upload(page, { name: 'many.csv', rows });
  await expect(page.getByRole('button', { name: 'Continue (rows: 10,000)' })).toBeEnabled({
    timeout: 20_000,
  });
  await page.getByLabel('Row 1, Amount').press('End');
  await scrollRows(page, Infinity);
  await page.getByLabel('Row 10,000, Amount').fill('0');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Needs correction 1' })).toBeVisible();
  await discard(page, 'many.csv');
  await expect(page.getByRole('heading', { name: 'Recent batches' })).toBeVisible();
});

/** Scrolls the rows as far as it goes, or to a position in pixels. */
async function scrollRows(page: Page, top: number): Promise<void> {
  await page
    .getByRole('table')
    .locator('xpath=..')
    .evaluate((element, to) => element.scrollTo(0, Math.min(to, element.scrollHeight)), Math.min(top, 1e9));
}

test('three thousand rows scroll under their totals, and are corrected by keyboard and from a spreadsheet', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, '/behalfPay/apply?mode=batch');
  const start = account();
  const rows = Array.from({ length: 3000 }, (_, index) => {
    const bank = index === 1500 ? 'Nowhere' : 'ICBC';
    return `李四,${start}${String(index).padStart(4, '0')},${bank},1.00,,`;
  });
  await upload(page, { name: 'three.csv', rows });
  await expect(page.getByRole('button', { name: 'Needs correction 1' })).toBeVisible();
  // Only the rows on screen exist, and the table says how many there are.
  expect(await page.locator('tbody[data-index]').count()).toBeLessThan(60);
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '3001');
  await scrollRows(page, 60_000);
  await page.getByRole('table').locator('xpath=..').scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const bar = page.getByRole('region', { name: 'Summary' });
  for (const label of ['Payouts', 'Total', 'Available funds', 'Needs correction'])
    await expect(bar.getByText(label, { exact: true })).toBeInViewport();
  await expect(bar.getByRole('button', { name: /^Continue/ })).toBeInViewport();
  await page.getByRole('button', { name: 'Needs correction 1' }).click();
  const fault = page.getByText('Please select one of the available options.');
  await expect(fault).toBeInViewport();
  const [faultBox, tableBox] = [await fault.boundingBox(), await page.getByRole('table').boundingBox()];
  // On one line, in the table's width and not in a column of it.
  expect(faultBox?.height).toBeLessThan(30);
  expect(tableBox?.width).toBeGreaterThan(1000);
  const bank = page.getByRole('combobox', { name: 'Row 1,501, Bank', exact: true });
  await expect(bank).toHaveText('Nowhere');
  await expect(bank).toHaveAccessibleDescription('Please select one of the available options.');
  // By the initials of 中国农业银行, with the keyboard alone.
  await bank.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: /^Search/ }).fill('zgny');
  await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(bank).toHaveText('Agricultural Bank of China');
  await expect(page.getByLabel('Row 1,501, Bank name')).toHaveValue('中国农业银行');
  await expect(page.getByRole('button', { name: 'Needs correction 0' })).toBeVisible();
  await page.getByRole('button', { name: 'All 3,000' }).click();
  // Up, down and Enter move between rows.
  await page.getByLabel('Row 1, Amount').fill('2.00');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Row 2, Amount')).toBeFocused();
  for (let row = 3; row <= 25; row += 1) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByLabel(`Row ${row}, Amount`)).toBeFocused();
  }
  await expect(page.getByLabel('Row 25, Amount')).toBeInViewport();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByLabel('Row 24, Amount')).toBeFocused();
  // Cells of a spreadsheet go to the right and below.
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', '3.10\tMay\n3.20\tJune\n');
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(paste);
  });
  await expect(page.getByLabel('Row 24, Amount')).toHaveValue('3.10');
  await expect(page.getByLabel('Row 25, Remark')).toHaveValue('June');
  // 2997 × 1.00 + 2.00 + 3.10 + 3.20
  await expect(bar.getByText('¥3,005.30')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});

test('on a phone a row is a card, with its faults and the totals in view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, '/behalfPay/apply?mode=batch');
  await upload(page, {
    name: 'phone.csv',
    rows: [`李四,${account()},Nowhere,1.00,,`, `王五,${account()},ICBC,2,,`],
  });
  const fault = page.getByText('Please select one of the available options.');
  await fault.scrollIntoViewIfNeeded();
  await expect(fault).toBeInViewport();
  await expect(page.getByRole('button', { name: /^Continue/ })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violationsOf(page)).toEqual([]);
});

for (const [language, many, choice] of [
  ['zh-cn', '批量代付', '选择文件'],
  ['vi', 'Chi hộ theo lô', 'Chọn tệp'],
] as const) {
  test(`the batch page is shown in ${language}`, async ({ page }) => {
    await signIn(page, '/behalfPay/apply?mode=batch');
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
    await page.reload();
    await expect(page.getByRole('link', { name: many })).toBeVisible();
    await expect(page.getByText(choice, { exact: true })).toBeVisible();
  });
}
