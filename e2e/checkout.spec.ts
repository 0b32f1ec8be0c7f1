import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectNoViolations } from './axe-check.ts';
import { demoKey, newMerchant, newUser, productUrl, signIn } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const shop = () => new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
const createOrder = () =>
  shop().create({ out_trade_no: `CHK-${Date.now()}`, amount: '58.00', currency: 'CNY', subject: '茶 Trà' });
/** A red pixel. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('a merchant sets its name, color and logo, and sees the page beside the form', async ({ page }) => {
  const merchant = await newMerchant('brand', { name: 'Registered Ltd' });
  await signIn(page, '/setting/checkout', await newUser(merchant));
  const preview = page.getByRole('img', { name: 'The checkout page as your payers will see it' });
  const button = preview.locator('button.button');
  await expect(preview).toContainText('Registered Ltd');
  await page.getByLabel('Display name').fill('Nanfeng Tea');
  await expect(preview).toContainText('Nanfeng Tea');
  const color = page.getByLabel('Brand color');
  await color.fill('#1D39C4');
  await expect(button).toHaveCSS('background-color', 'rgb(29, 57, 196)');
  await color.fill('#FFF176');
  await expect(page.getByText('This color is too pale')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(color).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: /^Use #\w{6} instead$/ }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'l.png', mimeType: 'image/png', buffer: logo });
  await expect(preview.locator('img.logo')).toBeVisible();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(preview.locator('main')).toHaveCSS('background-color', 'rgb(23, 29, 38)');
  await expectNoViolations(page, 'checkout page with a preview');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Display name')).toHaveValue('Nanfeng Tea');
  await expect(color).not.toHaveValue('#FFF176');
  await expect(preview.locator('img.logo')).toBeVisible();
  await page.getByRole('button', { name: 'Remove image' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(preview.locator('.monogram')).toHaveText('N');
});

test('a payer sees the merchant’s look, pays, and gets a receipt and its PDF in the language chosen', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const order = await createOrder();
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
  });
  const payer = await phone.newPage();
  await payer.goto(order.cashierUrl);
  await expect(payer.locator('.brand-name')).toHaveText('青禾优选');
  await expect(payer.locator('.registered-name')).toContainText('青禾优选商城');
  const shown = payer.locator('img.logo');
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(160);
  await expect(payer.locator('button.button')).toHaveCSS('background-color', 'rgb(11, 122, 75)');
  await payer.getByLabel('Language').selectOption('Tiếng Việt');
  await payer.getByRole('button', { name: /^Thanh toán 58/ }).click();
  await payer.getByRole('link', { name: 'Mở trang ngân hàng' }).click();
  await payer.locator('button').first().click();
  await expect(payer.getByRole('heading', { name: 'Thanh toán thành công' })).toBeVisible();

  await payer.getByRole('link', { name: 'Xem biên lai' }).click();
  await expect(payer.getByRole('heading', { name: 'Biên lai thanh toán' })).toBeVisible();
  await expect(payer.getByText(order.trade_no)).toBeVisible();
  await expect(payer.getByText('58,00 CNY')).toBeVisible();
  await expectNoViolations(payer, 'receipt');
  await payer.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(payer, 'receipt, dark');
  const [download] = await Promise.all([
    payer.waitForEvent('download'),
    payer.getByRole('button', { name: 'Tải PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${order.trade_no}.pdf`);
  const pdf = await readFile(await download.path());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  const receipt = new URL(payer.url()).pathname;

  await payer.goto((await createOrder()).cashierUrl);
  await expect(payer.getByText('Số tiền cần thanh toán')).toBeVisible();
  await expectNoViolations(payer, 'cashier, dark');
  await phone.close();

  await signIn(page, `/collection/payments?open=${order.trade_no}`);
  const drawer = page.getByRole('dialog', { name: order.trade_no });
  await drawer.getByRole('button', { name: 'Show receipt' }).click();
  await expect(drawer.getByRole('link', { name: 'Open receipt' })).toHaveAttribute(
    'href',
    productUrl() + receipt,
  );
});

test('a link to a receipt that leads nowhere says so', async ({ page }) => {
  await page.goto(`${productUrl()}/receipt/0000${'a'.repeat(32)}?lang=en`);
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download PDF' })).toHaveCount(0);
});
