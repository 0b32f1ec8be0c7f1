import { expect } from '@playwright/test';
import { expectNoFault, look, Visitors, visit, width } from './axe-check.ts';
import { runUntil, stopClock } from './page-clock.ts';
import { demo, demoKey, newUser, open, productUrl, signIn } from './people.ts';
import { bind, codeOf } from './second-factor.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

// A trace of every look would take longer than the looks.
test.use({ trace: 'off' });

const visitors = new Visitors();

test('forms with their faults, and the dialogs that ask once more', async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await visitors.page(browser);
  const goOn = page.getByRole('button', { name: /^Continue/ });
  await visit(page, '/behalfPay/apply');
  await goOn.click();
  await expectNoFault(page, 'payout with faults');
  await page.getByLabel('Payee', { exact: true }).fill('云岭');
  const known = page.getByRole('list', { name: 'Recent payees' }).getByRole('button');
  await expect(known.first()).toBeVisible();
  await expectNoFault(page, 'payees paid before');
  await known.first().click();
  await page.getByLabel('Payment amount (CNY)').fill('12.34');
  await look(page, 'confirm a payout', () => goOn.click());
  await look(page, 'paste and fill', () => page.getByRole('button', { name: 'Paste and fill' }).click());

  await visit(page, '/withdrawal/apply');
  await goOn.click();
  await expectNoFault(page, 'withdrawal with faults');
  await page.getByLabel('Withdrawal amount', { exact: true }).fill('100');
  await page.getByLabel('Network type').selectOption('Tron (TRC20)');
  await page.getByRole('list', { name: 'Recent addresses' }).getByRole('button').first().click();
  await look(page, 'confirm a withdrawal', () => goOn.click());

  await visit(page, '/recharge/topup');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByLabel('Network type').selectOption('Tron (TRC20)');
  await expect(page.getByRole('img', { name: /^QR code of the wallet address/ })).toBeVisible();
  await expectNoFault(page, 'top-up with a wallet and faults');

  await visit(page, '/behalfPay/apply?mode=batch');
  const rows = [
    '收款人,收款账号,银行,金额',
    '林小雨,987654320001,中国工商银行,12.00',
    '周子涵,1,Nowhere,12.345',
  ];
  const buffer = Buffer.from(rows.join('\r\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'small.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByRole('heading', { name: 'Rows in small.csv' })).toBeVisible();
  await expectNoFault(page, 'batch with faults');
  await page.getByRole('button', { name: 'Exclude row 2' }).click();
  await look(page, 'confirm a batch', () => goOn.click());

  await visit(page, '/collection/payments');
  await look(page, 'export', () => page.getByRole('button', { name: 'Export', exact: true }).click());
  await page.context().close();
});

test('dialogs of security, and the alert and the question of an ended session', async ({ page }) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await signIn(page, '/setting/accountSecurity', await newUser());
  await look(page, 'login password', () => page.getByRole('button', { name: 'Bind', exact: true }).click());
  const { secret } = await bind(page);
  await expectNoFault(page, 'second factor with recovery codes');
  await look(page, 'turn off', () => page.getByRole('button', { name: 'Turn off', exact: true }).click());
  await visit(page, '/setting/interfaceKey');
  await look(page, 'verification code', () => page.getByRole('button', { name: 'Reveal' }).click());
  await look(page, 'new key', () => page.getByRole('button', { name: 'Regenerate' }).click());
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('dialog').getByLabel('Verification code').fill(codeOf(secret));
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(/^sk_/)).toBeVisible();
  await expectNoFault(page, 'secret');
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => localStorage.setItem('theme', value), theme);
    await visit(page, '/setting/personalData');
    await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'false', url: productUrl() }]);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'Got it' })).toBeVisible();
    await expectNoFault(page, `alert, ${theme} from the start`, '.ant-modal-confirm');
    await page.getByRole('button', { name: 'Got it' }).click();
    const toast = page.locator('.ant-message-notice');
    await stopClock(page);
    await page.getByRole('button', { name: 'Save' }).click();
    // It slides in from above the page, and can only be pointed at once it is there.
    await runUntil(page, () =>
      toast.evaluateAll((toasts) => toasts.some((one) => one.getBoundingClientRect().top >= 0)),
    );
    // A toast stays for as long as somebody points at it.
    await toast.hover();
    await page.clock.resume();
    await expectNoFault(page, `toast, ${theme} from the start`, '.ant-message');
  }
  await page.context().clearCookies({ name: 'hengfu_session' });
  await page.getByRole('link', { name: 'Exports' }).click();
  await expect(page.getByRole('dialog').getByLabel('Password', { exact: true })).toBeFocused();
  await expectNoFault(page, 'sign in again');
});

test('pages for those who are not signed in', async ({ page }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, '/behalfPay/transfers?status=processed');
  await page.getByRole('row').filter({ hasText: 'Processed' }).first().getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create receipt' }).click();
  const slip = await page.getByRole('link', { name: 'View receipt' }).getAttribute('href');
  await expectNoFault(page, 'detail with a slip');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('signedIn'));
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  const order = { out_trade_no: `axe-${Date.now()}`, amount: '12.00', currency: 'CNY', subject: 'Tea' };
  const { cashierUrl, trade_no } = await shop.create(order);
  for (const [name, viewport] of Object.entries(width)) {
    await page.setViewportSize(viewport);
    for (const path of [
      '/login',
      '/401',
      '/403',
      '/404',
      new URL(slip ?? '').pathname,
      '/slip/1~P1~zzzz~no',
    ]) {
      await open(page, path);
      await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first()).toBeVisible();
      await expectNoFault(page, `${path}, ${name}`);
    }
    await page.goto(`${cashierUrl}?lang=en`);
    await expect(page.getByRole('button', { name: /^Pay / })).toBeVisible();
    await expectNoFault(page, `cashier, ${name}`);
  }
  await open(page, '/login');
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectNoFault(page, 'refused at sign-in');
  await shop.cancel(trade_no);
  await page.goto(`${cashierUrl}?lang=en`);
  await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0);
  await expectNoFault(page, 'cashier of a cancelled order');
});
