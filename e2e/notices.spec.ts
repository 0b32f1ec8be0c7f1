import { createHash, createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { demoKey, newUser, open, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

let orders = 0;

/** Requests a payout that the bank rejects (amounts that end in 01). Returns its number. */
async function rejectedPayout(): Promise<string> {
  const path = '/openapi/v1/payouts';
  const body = JSON.stringify({
    out_trade_no: `notice-${Date.now()}-${++orders}`,
    amount: `${orders}.01`,
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: '王芳',
    payeeAccount: `12345678${1000 + orders}`,
    bank: 'ICBC',
    bankName: '中国工商银行',
  });
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  const digest = createHash('sha256').update(body).digest('hex');
  const signed = ['POST', path, timestamp, nonce, digest].join('\n');
  const response = await fetch(productUrl() + path, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-key': demoKey.id,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': createHmac('sha256', demoKey.secret).update(signed).digest('hex'),
    },
  });
  const { trade_no } = (await response.json()) as { trade_no: string };
  expect(response.status).toBe(201);
  return trade_no;
}

const bell = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

test('a notice of a rejected payout appears at once, links to its detail, and is then marked as read', async ({
  page,
}) => {
  // Waits for the first load, which is not announced.
  const firstLoad = page.waitForResponse((response) => response.url().endsWith('/api/merchant/notices'));
  await signIn(page, '/dashboard', await newUser());
  await firstLoad;
  await bell(page, 'Notifications, none unread').click();
  await expect(panel(page).getByText(/^No notifications\./)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const number = await rejectedPayout();
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: '1 new notification: Payout rejected' }),
  ).toHaveCount(1);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await bell(page, 'Notifications, 1 unread').click();
  const notice = panel(page).getByRole('link', { name: number });
  await expect(notice).toContainText('¥1.01');
  await expect(notice).toContainText('Unread');
  await notice.click();
  const drawer = page.getByRole('dialog', { name: `Payout ${number}` });
  await expect(drawer.getByText('The receiving account is closed.')).toBeVisible();
  await expect(panel(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await bell(page, 'Notifications, none unread').click();
  await expect(panel(page).getByRole('link', { name: number })).not.toContainText('Unread');
});

test('the panel is opened, used and closed by keyboard', async ({ page }) => {
  await signIn(page, '/dashboard', await newUser());
  await expect(bell(page, 'Notifications, none unread')).toBeVisible();
  const numbers = [await rejectedPayout(), await rejectedPayout()];
  await bell(page, 'Notifications, 2 unread').focus();
  await page.keyboard.press('Enter');
  const markAll = panel(page).getByRole('button', { name: 'Mark all as read' });
  await expect(markAll).toBeFocused();
  await page.keyboard.press('Tab');
  const latest = panel(page).getByRole('link').first();
  await expect(latest).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/behalfPay\/transfers\?open=P/);
  const drawer = page.getByRole('dialog', { name: /^Payout / });
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await bell(page, 'Notifications, 1 unread').focus();
  await page.keyboard.press('Enter');
  await expect(markAll).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(bell(page, 'Notifications, none unread')).toHaveAttribute('aria-expanded', 'true');
  await expect(markAll).toBeFocused();
  for (const number of numbers)
    await expect(panel(page).getByRole('link', { name: number })).not.toContainText('Unread');
  await page.keyboard.press('Escape');
  await expect(bell(page, 'Notifications, none unread')).toBeFocused();
});

for (const [theme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test(`older notices are loaded: ${theme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => localStorage.setItem('theme', value), theme);
    const user = await newUser();
    await signIn(page, '/dashboard', user);
    await expect(bell(page, 'Notifications, none unread')).toBeVisible();
    const first = await rejectedPayout();
    for (let count = 0; count < 20; count++) await rejectedPayout();
    // Payouts of other tests may be rejected meanwhile, too.
    const unread = async () =>
      Number(
        /\d+/.exec((await bell(page, /^Notifications, \d+ unread$/).getAttribute('aria-label')) ?? '')?.[0],
      );
    await expect.poll(unread).toBeGreaterThanOrEqual(21);
    await bell(page, /^Notifications, \d+ unread$/).click();
    await expect(panel(page).getByRole('link')).toHaveCount(20);
    // The default mode opens a tab, which takes the focus.
    expect(await violationsOf(page)).toEqual([]);
    await panel(page).getByRole('button', { name: 'Show more' }).press('Enter');
    await expect(panel(page).getByRole('link').nth(20)).toBeFocused();
    await expect(panel(page).getByRole('link', { name: first })).toBeAttached();
    await expect(panel(page).getByText('Notifications are kept for 90 days.')).toBeVisible();
    const box = await panel(page).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}

test('a failed load shows an error and can be retried', async ({ page }) => {
  await signIn(page, '/dashboard', await newUser());
  await page.route('**/api/merchant/notices?*', (route) => route.abort());
  await page.route('**/api/merchant/notices', (route) => route.abort());
  await page.reload();
  await bell(page, 'Notifications, none unread').click();
  await expect(panel(page).getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect(panel(page).getByText(/^No notifications\./)).toBeVisible();
});

for (const [language, label, title] of [
  ['zh-cn', /^通知，\d+ 条未读$/, '代付被驳回'],
  ['vi', /^Thông báo, \d+ tin chưa đọc$/, 'Lệnh chi hộ bị từ chối'],
] as const) {
  test(`notices are shown in ${language}`, async ({ page }) => {
    const user = await newUser();
    const number = await rejectedPayout();
    await open(page, '/dashboard', language);
    await page.locator('#email').fill(user.email);
    await page.locator('#password').fill(user.password);
    await page.keyboard.press('Enter');
    await bell(page, label).click();
    await expect(page.getByRole('dialog').getByRole('link').filter({ hasText: number })).toContainText(title);
  });
}
