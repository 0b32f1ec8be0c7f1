import type { Page } from '@playwright/test';
import { demoKey, newMerchant, newUser, operatorAlone, productUrl } from '../people.ts';
import { ShopClient } from '../shop/shop-client.ts';
import { officeScenes } from './office-scenes.ts';
import { openFirstRow } from './rows.ts';
import type { Scene } from './scene.ts';

/** Submits the page's form without an entry. */
const submitEmpty = (page: Page) => page.locator('main form button[type=submit]').first().click();

/** Applies the first search field of a list empty. */
const searchEmpty = (page: Page) => page.locator('search input').first().press('Enter');

/** Creates an order, and returns the path of its checkout page. */
async function cashierPath(): Promise<string> {
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  const order = await shop.create({
    out_trade_no: `SCENE-${Date.now()}`,
    amount: '128.50',
    currency: 'CNY',
    subject: 'Tea',
  });
  return new URL(order.cashierUrl).pathname;
}

/** Opens the card of the first payment link. */
async function openCard(page: Page): Promise<void> {
  await openFirstRow(page);
  await page.locator('[role=dialog] a[href*="linkCard"]').click();
  await page.locator('main article svg').waitFor();
}

/** Opens the first payment link as its payers do. */
async function openPayLink(page: Page): Promise<void> {
  await openFirstRow(page);
  const url = await page.locator('[role=dialog]').getByText('/pay/link/').first().textContent();
  await page.goto(url ?? '/');
  await page.locator('form button[type=submit]').waitFor();
}

async function confirmPayout(page: Page): Promise<void> {
  await page.locator('[name=payee]').fill('云岭茶业有限公司');
  await page.locator('[name=payeeAccount]').fill('6222021234567890128');
  await page.locator('[name=bank]').selectOption('ICBC');
  await page.locator('[name=branchName]').fill('昆明市盘龙区北京路支行');
  await page.locator('[name=amount]').fill('128.50');
  await page.locator('[name=remark]').fill('2026 年 8 月货款');
  await page.locator('main form [type=submit]').click();
}

async function confirmWithdrawal(page: Page): Promise<void> {
  await page.locator('[name=amount]').fill('100');
  await page.locator('[name=network]').selectOption('TRC20');
  await page.locator('[name=address]').fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
  await page.locator('main form [type=submit]').click();
}

/** Chooses a batch file with headings of its own, and a row with an error. */
async function chooseFile(page: Page): Promise<void> {
  const buffer = Buffer.from(
    '姓名,入账卡,银行,金额,工号\n王芳,6222021234567890128,ICBC,3.10,1\n李雷,62,ICBC,x,2',
  );
  await page.locator('input[type=file]').setInputFiles({ name: 'payroll.csv', mimeType: 'text/csv', buffer });
  await page.locator('main table').waitFor();
}

/** Submits a batch for which the demo merchant's rule asks for approval, and opens its request. */
async function openBatchRequest(page: Page): Promise<void> {
  const start = String(Date.now()).slice(-8);
  const rows = [1, 2, 3].map((row) => `林小雨,9876${start}${row},ICBC,700${row}.00`);
  const buffer = Buffer.from(['收款人,收款账号,银行,金额', ...rows].join('\r\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'bonus.csv', mimeType: 'text/csv', buffer });
  await page.locator('main table').waitFor();
  await page.locator('main dl ~ div button').last().click();
  await page.locator('[role=dialog] input[type=password]').fill('888888');
  await page.locator('[role=dialog] [type=submit]').click();
  await page.locator('[role=dialog]').waitFor({ state: 'detached' });
  await page.goto(`${productUrl()}/approvals`);
  await openFirstRow(page);
}

/** The person whom {@link invitedPath} has made. */
const guest = { email: '', password: '' };

/** Creates a person of one merchant, and returns the path of an invitation to another one. */
async function invitedPath(): Promise<string> {
  const merchant = await newMerchant('teahouse', { name: '云岭茶业' });
  const second = await newMerchant('porcelain', { name: '景德镇瓷器' });
  Object.assign(guest, await newUser(merchant, { role: 'ROOT' }));
  const invited = ['--merchant', second, '--email', guest.email, '--role', 'ROOT'];
  const { url } = await operatorAlone('user', 'invite', ...invited);
  return new URL(String(url)).pathname;
}

/** Accepts the invitation, and signs in again, which asks where to work. */
async function chooseMerchant(page: Page): Promise<void> {
  await page.locator('input[type=password]').fill(guest.password);
  await page.locator('form [type=submit]').click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('signedIn'));
  await page.goto(`${productUrl()}/login`);
  await page.locator('input[type=email]').fill(guest.email);
  await page.locator('input[type=password]').fill(guest.password);
  await page.locator('form [type=submit]').first().click();
  await page.locator('main li').first().waitFor();
}

const openExport = (page: Page) =>
  page
    .locator('main button')
    .filter({ hasText: /^(Export|导出|Xuất)/ })
    .first()
    .click();

/** Every page in the menus, and what opens above pages. */
export const scenes: readonly Scene[] = [
  { name: 'login', path: '/login', isOpen: true },
  { name: 'dashboard', path: '/dashboard' },
  { name: 'payments', path: '/collection/payments' },
  { name: 'payments-prompt', path: '/collection/payments', act: searchEmpty },
  { name: 'payment-detail', path: '/collection/payments', act: openFirstRow },
  { name: 'refunds', path: '/collection/refunds' },
  { name: 'refund-detail', path: '/collection/refunds', act: openFirstRow },
  { name: 'new-collection', path: '/collection/new' },
  { name: 'payment-links', path: '/collection/links' },
  { name: 'payment-link', path: '/collection/links', act: openFirstRow },
  { name: 'payment-link-form', path: '/collection/editLink' },
  { name: 'payment-link-card', path: '/collection/links?state=on', act: openCard },
  { name: 'pay-link', path: '/collection/links?state=on', act: openPayLink },
  { name: 'settlements', path: '/collection/Settlements' },
  { name: 'settlement-detail', path: '/collection/Settlements', act: openFirstRow },
  { name: 'payout-apply', path: '/behalfPay/apply' },
  { name: 'payout-batch', path: '/behalfPay/apply?mode=batch' },
  { name: 'payout-confirm', path: '/behalfPay/apply', act: confirmPayout },
  { name: 'payout-columns', path: '/behalfPay/apply?mode=batch', act: chooseFile },
  { name: 'withdrawal-confirm', path: '/withdrawal/apply', act: confirmWithdrawal },
  { name: 'export-dialog', path: '/behalfPay/transfers', act: openExport },
  { name: 'payouts', path: '/behalfPay/transfers' },
  { name: 'payout-detail', path: '/behalfPay/transfers', act: openFirstRow },
  { name: 'payout-failed', path: '/behalfPay/transfers?status=rejected', act: openFirstRow },
  { name: 'topup', path: '/recharge/topup' },
  { name: 'topup-empty', path: '/recharge/topup', act: submitEmpty },
  { name: 'topups', path: '/recharge/record' },
  { name: 'topup-detail', path: '/recharge/record', act: openFirstRow },
  { name: 'withdraw', path: '/withdrawal/apply' },
  { name: 'withdraw-empty', path: '/withdrawal/apply', act: submitEmpty },
  { name: 'withdrawals', path: '/withdrawal/record' },
  { name: 'withdrawal-detail', path: '/withdrawal/record', act: openFirstRow },
  { name: 'fund-flow', path: '/fund/fundWater' },
  { name: 'daily-report', path: '/fund/dailyReport' },
  { name: 'profile', path: '/setting/personalData' },
  { name: 'security', path: '/setting/accountSecurity' },
  { name: 'payment-password', path: '/setting/paymentPassword' },
  { name: 'access-key', path: '/setting/interfaceKey' },
  { name: 'access-keys', path: '/setting/keys' },
  { name: 'ip-address', path: '/setting/ipAddress' },
  { name: 'checkout-page', path: '/setting/checkout' },
  { name: 'team', path: '/setting/team' },
  { name: 'audit-log', path: '/setting/auditLog' },
  { name: 'request-log', path: '/developers/requests' },
  { name: 'api-reference', path: '/developers/reference?call=postCollections' },
  { name: 'callbacks', path: '/developers/callbacks' },
  { name: 'callback-detail', path: '/developers/callbacks', act: openFirstRow },
  { name: 'callback-endpoints', path: '/developers/endpoints' },
  { name: 'exports', path: '/lineExport' },
  { name: 'contact', path: '/contactUs' },
  { name: 'status', path: '/statusPages' },
  { name: 'forbidden', path: '/403' },
  { name: 'not-found', path: '/404' },
  { name: 'layout-top', path: '/fund/dailyReport', settings: { layout: 'top' } },
  { name: 'layout-mix', path: '/fund/dailyReport', settings: { layout: 'mix', watermark: 'true' } },
  { name: 'sidebar-closed', path: '/dashboard', settings: { sidebarStatus: 'closed' } },
  { name: 'size-large', path: '/behalfPay/transfers', settings: { size: 'large' } },
  { name: 'size-small', path: '/behalfPay/transfers', settings: { size: 'small' } },
  { name: 'search', path: '/dashboard', act: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', path: '/dashboard', act: (page) => page.keyboard.press('?') },
  {
    name: 'notices',
    path: '/dashboard',
    act: (page) => page.locator('header button[aria-haspopup="dialog"]').nth(1).click(),
  },
  {
    name: 'user-menu',
    path: '/dashboard',
    act: (page) => page.locator('header button[aria-haspopup="menu"]').last().click(),
  },
  { name: 'approvals', path: '/approvals' },
  { name: 'approval-batch', path: '/behalfPay/apply?mode=batch', act: openBatchRequest },
  { name: 'merchant-chooser', path: invitedPath, act: chooseMerchant, isOpen: true },
  { name: 'cashier', path: cashierPath, isOpen: true },
  { name: 'empty-list', path: '/collection/payments?trade_no=C000000000000000' },
  ...officeScenes.map((scene) => ({ ...scene, isOffice: true as const })),
];
