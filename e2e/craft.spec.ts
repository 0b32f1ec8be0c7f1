import { expect, type Page } from '@playwright/test';
import { newMerchant, newUser, open, signIn, visit } from './people.ts';
import { test } from './story.ts';

const phone = { width: 390, height: 844 };
const languages = ['en', 'zh-cn', 'vi'] as const;
const lists = [
  '/collection/payments',
  '/collection/Settlements',
  '/behalfPay/transfers',
  '/recharge/record',
  '/withdrawal/record',
  '/fund/fundWater',
];

/** Opens a page in another language, in the session at hand. */
async function reopen(page: Page, path: string, language: (typeof languages)[number]): Promise<void> {
  await page.evaluate((value) => localStorage.setItem('language', value), language);
  await open(page, path, language);
}

test('on a phone, every list begins within 300 px and breaks no number that fits', { tag: '@long' }, async ({
  page,
}) => {
  test.setTimeout(120_000);
  await page.setViewportSize(phone);
  await signIn(page);
  for (const language of languages)
    for (const path of lists) {
      await reopen(page, path, language);
      const card = page.locator('main li:has(dl)').first();
      await expect(card).toBeVisible();
      await expect
        .poll(async () => (await card.boundingBox())?.y ?? 1000, { message: `${path} in ${language}` })
        .toBeLessThan(300);
      const broken = await page.locator('main li:has(dl) dd').evaluateAll((values) =>
        values
          .filter((value) => /^[A-Z]{0,2}\d{10,20}$/.test(value.textContent ?? ''))
          .filter((value) => {
            const number = document.createTreeWalker(value, NodeFilter.SHOW_TEXT).nextNode();
            const range = document.createRange();
            if (number) range.selectNodeContents(number);
            return range.getClientRects().length > 1;
          })
          .map(({ textContent }) => textContent),
      );
      expect(broken, `${path} in ${language}`).toEqual([]);
    }
});

test('the statement’s figures unfold on a phone', async ({ page }) => {
  await page.setViewportSize(phone);
  await signIn(page, '/fund/fundWater');
  const breakdown = page.getByRole('region', { name: 'Balance breakdown' });
  await expect(page.locator('main summary')).toContainText(/Available funds.*¥/);
  await expect(breakdown).toBeHidden();
  await page.locator('main summary').click();
  await expect(breakdown).toBeVisible();
});

test('a page whose data is slow says so, and its rows move nothing when they arrive', async ({ page }) => {
  await signIn(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/merchant/**', async (route) => {
    await held;
    await route.continue();
  });
  for (const path of [
    '/fund/dailyReport',
    '/behalfPay/apply',
    '/withdrawal/apply',
    '/setting/ipAddress',
    '/contactUs',
  ]) {
    await open(page, path);
    await expect(page.locator('main').getByText('Loading'), path).toBeAttached();
  }
  // With a parameter: without one, the page comes with its rows.
  await open(page, '/collection/Settlements?limit=50');
  const sheet = page.locator('main [role=status]:has-text("Loading"), main table').first();
  await expect(sheet).toBeVisible();
  const before = await sheet.boundingBox();
  release();
  await expect(page.locator('main tbody tr').first()).toBeVisible();
  const after = await page.locator('main table').boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 1000))).toBeLessThan(3);
});

test('an empty list leads to the page where its first row comes from', async ({ page }) => {
  const user = await newUser(await newMerchant('first'));
  await signIn(page, '/behalfPay/transfers', user);
  await page.getByRole('main').getByRole('link', { name: 'Send money apply' }).click();
  await expect(page).toHaveURL(/\/behalfPay\/apply$/);
  await open(page, '/fund/dailyReport');
  await expect(page.getByText('No payments or settlements in this range.')).toBeVisible();
});

test('forms use the width of their card', async ({ page }) => {
  await signIn(page);
  for (const [path, width] of [
    ['/setting/personalData', 1440],
    ['/setting/paymentPassword', 1440],
    ['/setting/interfaceKey', 1440],
    ['/setting/ipAddress', 1440],
    ['/behalfPay/apply', 1024],
    ['/withdrawal/apply', 768],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page, path);
    const form = page.locator('main form:visible').first();
    await expect(form).toBeVisible();
    const gap = await form.evaluate((element) => {
      const fields = [...element.querySelectorAll('input, select, textarea, button')];
      const end = Math.max(...fields.map((field) => field.getBoundingClientRect().right));
      const card = element.closest('section')?.getBoundingClientRect();
      return (card?.right ?? 0) - end;
    });
    expect(gap, path).toBeLessThan(30);
  }
});

test('a list is printed with all rows, on white and without the menu', async ({ page }) => {
  await signIn(page, '/collection/payments?status=success');
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  await page.reload();
  const last = page.locator('main tbody tr').last();
  await expect(last).toBeAttached();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('header').first()).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export' })).toBeHidden();
  await expect(page.getByText('Order status:')).toBeVisible();
  const isCut = await last.evaluate((row) => {
    const region = row.closest('section');
    return region !== null && region.scrollHeight > region.clientHeight + 1;
  });
  expect(isCut).toBe(false);
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(23, 32, 51)');
});
