import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { enterDay } from './controls.ts';
import { holdStream } from './live-stream.ts';
import { demo, demoKey, newMerchant, newUser, open, password, productUrl, signIn, visit } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const viewer = { email: 'viewer@hengfu.test', password: demo.password };
const region = (page: Page, name: string) => page.getByRole('region', { name });
const dayMs = 86_400_000;
/** A day in the past, in the demo merchant's zone. */
const dayBack = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() - days * dayMs);

/** Reads the dashboard's data as the page does. */
async function read(
  page: Page,
  path = '',
): Promise<{ current: Record<'collection' | 'payout', { count: number }> }> {
  return (await (await page.request.get(`${productUrl()}/api/merchant/dashboard${path}`)).json()).data;
}

test('the period is chosen, kept in the address, and compared with the one before', async ({ page }) => {
  await signIn(page, '/dashboard');
  const collected = region(page, 'Collected').first();
  await expect(collected.getByText('Today', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Today', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  await page.getByRole('button', { name: '30 days' }).click();
  await expect(page).toHaveURL(/\/dashboard\?period=days30$/);
  await expect(region(page, 'Daily trend')).toBeVisible();
  await expect(async () => {
    const { current } = await read(page, '?period=days30');
    await expect(
      collected.getByText(current.collection.count.toLocaleString('en'), { exact: true }),
    ).toBeVisible({
      timeout: 2000,
    });
  }).toPass();
  await expect(
    collected.getByText(/(more|less) than in the period before|Same as in the period before/).first(),
  ).toBeAttached();
  await expect(page.getByText(/^Changes compare .+ with .+\.$/)).toBeVisible();

  await page.getByRole('button', { name: 'Custom dates' }).click();
  await enterDay(page, 'From', dayBack(20));
  await enterDay(page, 'To', dayBack(11));
  await expect(page).toHaveURL(new RegExp(`period=range&from=${dayBack(20)}&to=${dayBack(11)}$`));
  const past = await read(page, `?period=range&from=${dayBack(20)}&to=${dayBack(11)}`);
  expect(past.current.collection.count).toBeGreaterThan(100);
  const shown = collected.getByText(past.current.collection.count.toLocaleString('en'), { exact: true });
  await expect(shown).toBeVisible();
  await page.reload();
  await expect(shown).toBeVisible();
  await expect(page.getByRole('button', { name: 'Custom dates' })).toHaveAttribute('aria-pressed', 'true');

  await enterDay(page, 'From', dayBack(200));
  await expect(page.getByText('The period can span at most 92 days.')).toBeVisible();
  await page.goBack();
  await expect(shown).toBeVisible();
  await page.getByRole('button', { name: 'Today', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(region(page, 'Hourly trend')).toBeVisible();
});

test('the arrow keys move along the chart, which says each point aloud', async ({ page }) => {
  await signIn(page, '/dashboard?period=days7');
  const trend = region(page, 'Daily trend');
  await expect(trend.locator('canvas')).toBeVisible();
  const chart = trend.getByRole('group');
  await expect(chart).toHaveAccessibleName(/collected and .+ paid out in this period/);
  await chart.focus();
  const tip = trend.getByRole('status');
  await expect(tip).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(tip).toContainText(
    /Collected¥[\d,.]+Collected in the period before¥[\d,.]+Paid out¥[\d,.]+Orders\d/,
  );
  const first = await tip.locator('strong').innerText();
  await page.keyboard.press('ArrowRight');
  await expect(tip.locator('strong')).not.toHaveText(first);
  await page.keyboard.press('Home');
  await expect(tip.locator('strong')).toHaveText(first);
  await page.keyboard.press('Tab');
  await expect(tip).toBeHidden();
  await trend.getByRole('button', { name: 'Show table' }).click();
  await expect(trend.getByRole('row')).toHaveCount(8);
  const rates = region(page, 'Success rate by channel');
  await rates.getByRole('button', { name: 'Show table' }).click();
  await expect(rates.getByRole('row').nth(1)).toContainText('China bank transfer');
  expect(await violationsOf(page)).toEqual([]);
});

test('what failed and what waits link to exactly these orders', async ({ page }) => {
  await signIn(page, `/dashboard?period=range&from=${dayBack(20)}&to=${dayBack(11)}`);
  const failed = region(page, 'What failed, and why');
  const link = failed.getByRole('link', { name: /^Failed orders: [1-9]/ }).first();
  const count = (await link.innerText()).replace(/\D/g, '');
  await link.click();
  await expect(page).toHaveURL(/\/collection\/payments\?status=cancelled,closed,failed&createdFrom=/);
  await expect(page.getByText(new RegExp(`^${Number(count).toLocaleString('en')} rows?$`))).toBeVisible();

  await visit(page, '/dashboard');
  const waiting = region(page, 'Waiting for you');
  await expect(waiting.getByText('Last 3 days')).toBeVisible();
  const rejected = waiting.getByRole('listitem').filter({ hasText: 'Rejected payouts' });
  const rejectedCount = await rejected.locator('b').innerText();
  await rejected.getByRole('link').click();
  await expect(page).toHaveURL(/\/behalfPay\/transfers\?status=rejected&createdFrom=/);
  await expect(page.getByText(new RegExp(`^${rejectedCount} rows?$`))).toBeVisible();
});

test('a new merchant sees what to do first, ticked off as it is done, until it is hidden', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const merchant = await newMerchant('first');
  const [owner, colleague] = [await newUser(merchant), await newUser(merchant)];
  await signIn(page, '/dashboard', owner);
  const steps = region(page, 'First steps');
  await expect(steps.getByRole('listitem')).toHaveCount(5);
  await expect(steps.getByText('0 of 5 done', { exact: true })).toBeVisible();
  await expect(region(page, 'Waiting for you').getByText('Nothing is waiting for you.')).toBeVisible();
  await expect(region(page, 'Collected').first().getByText('No comparison').first()).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  const whitelist = steps.getByRole('listitem').filter({ hasText: 'Allow the IP addresses' });
  await expect(whitelist).toContainText('To do');
  await whitelist.getByRole('link').click();
  await page.getByRole('textbox', { name: 'IP whitelist' }).fill('203.0.113.7');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await dialog.getByLabel('Login password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(whitelist).toContainText('Done');
  await expect(whitelist.getByRole('link')).toHaveCount(0);
  await expect(steps.getByText('1 of 5 done', { exact: true })).toBeVisible();

  await steps.getByRole('button', { name: 'Hide' }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(region(page, 'Waiting for you')).toBeVisible();
  await expect(steps).toHaveCount(0);
  const other = await page.context().browser()?.newContext();
  if (!other) throw new Error('no browser');
  const theirs = await other.newPage();
  await signIn(theirs, '/dashboard', colleague);
  await expect(region(theirs, 'First steps').getByRole('listitem')).toHaveCount(5);
  await other.close();
});

test('an order that is placed and paid changes the figures of an open page of any period', async ({
  page,
}) => {
  await signIn(page, '/dashboard?period=days7', viewer);
  await expect(region(page, 'First steps')).toHaveCount(0);
  const rates = region(page, 'Success rate by channel');
  await expect(rates.locator('canvas').first()).toBeVisible();
  const { current } = await read(page, '?period=days7');
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  const order = await shop.create({ out_trade_no: `dash-${Date.now()}`, amount: '12.00', currency: 'CNY' });
  const payer = await page.context().newPage();
  await payer.goto(`${order.cashierUrl}?lang=en`);
  await payer.getByRole('button', { name: 'Pay ¥12.00' }).click();
  await payer.getByRole('link', { name: 'Continue to your bank' }).click();
  await payer.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(payer.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  const count = region(page, 'Collected')
    .first()
    .locator('dd')
    .filter({ hasText: /^[\d,]+$/ });
  // Demo payers pay, too.
  await expect
    .poll(async () => Number((await count.first().innerText()).replaceAll(',', '')))
    .toBeGreaterThan(current.collection.count);
});

test('a failure of one part leaves the others on screen', async ({ page }) => {
  await signIn(page, '/contactUs');
  await holdStream(page);
  await page.route('**/api/merchant/dashboard/outcomes*', (route) =>
    route.fulfill({ status: 500, body: 'x' }),
  );
  await open(page, '/dashboard?period=days7');
  await expect(page.getByText('The data could not be loaded.')).toHaveCount(1);
  await expect(
    region(page, 'Collected')
      .first()
      .getByText(/^¥[\d,.]+$/)
      .first(),
  ).toBeVisible();
  await page.unroute('**/api/merchant/dashboard/outcomes*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(region(page, 'What failed, and why')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  // The charts follow the new width a frame later.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
