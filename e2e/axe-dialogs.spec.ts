import { expect } from '@playwright/test';
import { checkOverlay, expectNoViolations, SharedSession, visit, width } from './axe-check.ts';
import { runUntil, stopClock } from './page-clock.ts';
import { demo, demoKey, newUser, open, productUrl, signIn } from './people.ts';
import { bind, codeOf } from './second-factor.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const session = new SharedSession();

test('axe finds no violations in forms with errors and in confirmation dialogs', async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await session.page(browser);
  const continueButton = page.getByRole('button', { name: /^Continue/ });
  await visit(page, '/behalfPay/apply');
  await continueButton.click();
  await expectNoViolations(page, 'payout with errors');
  await page.getByLabel('Payee', { exact: true }).fill('云岭');
  const recentPayees = page.getByRole('list', { name: 'Recent payees' }).getByRole('button');
  await expect(recentPayees.first()).toBeVisible();
  await expectNoViolations(page, 'payees paid before');
  await recentPayees.first().click();
  await page.getByLabel('Payment amount (CNY)').fill('12.34');
  await checkOverlay(page, 'confirm a payout', () => continueButton.click());
  await checkOverlay(page, 'paste and fill', () =>
    page.getByRole('button', { name: 'Paste and fill' }).click(),
  );

  await visit(page, '/withdrawal/apply');
  await continueButton.click();
  await expectNoViolations(page, 'withdrawal with errors');
  await page.getByLabel('Withdrawal amount', { exact: true }).fill('100');
  await page.getByLabel('Network type').selectOption('Tron (TRC20)');
  await page.getByRole('list', { name: 'Recent addresses' }).getByRole('button').first().click();
  await checkOverlay(page, 'confirm a withdrawal', () => continueButton.click());

  await visit(page, '/recharge/topup');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByLabel('Network type').selectOption('Tron (TRC20)');
  await expect(page.getByRole('img', { name: /^QR code of the wallet address/ })).toBeVisible();
  await expectNoViolations(page, 'top-up with a wallet and errors');

  await visit(page, '/behalfPay/apply?mode=batch');
  const rows = [
    '收款人,收款账号,银行,金额',
    '林小雨,987654320001,中国工商银行,12.00',
    '周子涵,1,Nowhere,12.345',
  ];
  const buffer = Buffer.from(rows.join('\r\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'small.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByRole('heading', { name: 'Rows in small.csv' })).toBeVisible();
  await expectNoViolations(page, 'batch with errors');
  await page.getByRole('button', { name: 'Exclude row 2' }).click();
  await checkOverlay(page, 'confirm a batch', () => continueButton.click());

  await visit(page, '/collection/payments');
  await checkOverlay(page, 'export', () => page.getByRole('button', { name: 'Export', exact: true }).click());
  await page.context().close();
});

test('axe finds no violations in security dialogs, alerts, toasts, and the dialog of an ended session', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await signIn(page, '/setting/accountSecurity', await newUser());
  await checkOverlay(page, 'login password', () =>
    page.getByRole('button', { name: 'Bind', exact: true }).click(),
  );
  const { secret } = await bind(page);
  await expectNoViolations(page, 'second factor with recovery codes');
  await checkOverlay(page, 'turn off', () =>
    page.getByRole('button', { name: 'Turn off', exact: true }).click(),
  );
  await visit(page, '/setting/interfaceKey');
  await checkOverlay(page, 'verification code', () => page.getByRole('button', { name: 'Reveal' }).click());
  await checkOverlay(page, 'new key', () => page.getByRole('button', { name: 'Regenerate' }).click());
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('dialog').getByLabel('Verification code').fill(codeOf(secret));
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(/^sk_/)).toBeVisible();
  await expectNoViolations(page, 'secret');
  await visit(page, '/setting/keys');
  await checkOverlay(page, 'key', () => page.getByRole('button', { name: 'Add key' }).click());
  await checkOverlay(page, 'successor', () => page.getByRole('button', { name: 'Replace' }).first().click());
  await checkOverlay(page, 'end of a key', () =>
    page.getByRole('button', { name: 'Revoke now' }).first().click(),
  );
  await visit(page, '/setting/personalData');
  await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'false', url: productUrl() }]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Got it' })).toBeVisible();
  await expectNoViolations(page, 'alert', '[role="alertdialog"]');
  await page.getByRole('button', { name: 'Got it' }).click();
  const toast = page.locator('[data-kind="toast"]');
  await stopClock(page);
  await page.getByRole('button', { name: 'Save' }).click();
  // The toast slides in from above the page, and can be hovered only once it is on screen.
  await runUntil(page, () =>
    toast.evaluateAll((toasts) => toasts.some((element) => element.getBoundingClientRect().top >= 0)),
  );
  // A toast stays while it is hovered.
  await toast.hover();
  await page.clock.resume();
  await expectNoViolations(page, 'toast', '[data-kind="toast"]');
  await page.context().clearCookies({ name: 'hengfu_session' });
  await page.getByRole('link', { name: 'Exports' }).click();
  await expect(page.getByRole('dialog').getByLabel('Password', { exact: true })).toBeFocused();
  await expectNoViolations(page, 'sign in again');
});

test('axe finds no violations on pages without a session', async ({ page }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, '/behalfPay/transfers?status=processed');
  await page.getByRole('row').filter({ hasText: 'Processed' }).first().getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create receipt' }).click();
  const slip = await page.getByRole('link', { name: 'View receipt' }).getAttribute('href');
  await expectNoViolations(page, 'detail with a receipt');
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
      await expectNoViolations(page, `${path}, ${name}`);
    }
    await page.goto(`${cashierUrl}?lang=en`);
    await expect(page.getByRole('button', { name: /^Pay / })).toBeVisible();
    await expectNoViolations(page, `cashier, ${name}`);
  }
  await open(page, '/login');
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectNoViolations(page, 'refused at sign-in');
  await shop.cancel(trade_no);
  await page.goto(`${cashierUrl}?lang=en`);
  await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0);
  await expectNoViolations(page, 'cashier of a cancelled order');
});
