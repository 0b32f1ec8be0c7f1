import { expect } from '@playwright/test';
import { approve, colleagueElsewhere } from './approving-colleagues.ts';
import { violationsOf } from './axe.ts';
import { demoKey, productUrl, signIn } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

test('a refund that the shop asks for waits, and is made once somebody has approved it', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  const amount = '500.00';
  const order = await shop.create({ out_trade_no: `refund-${Date.now()}`, amount, currency: 'CNY' });
  const payer = await (await browser.newContext()).newPage();
  await payer.goto(`${order.cashierUrl}?lang=en`);
  await payer.getByRole('button', { name: 'Pay ¥500.00' }).click();
  await payer.getByRole('link', { name: 'Continue to your bank' }).click();
  await payer.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(payer.getByRole('heading', { name: 'Payment successful' })).toBeVisible();

  await signIn(page, `/collection/payments?open=${order.trade_no}`);
  const drawer = page.getByRole('dialog').first();
  await expect(drawer.getByText('Success').first()).toBeVisible();
  const approver = await colleagueElsewhere(browser, '/approvals?view=mine', 'APPROVER');
  expect(await shop.refund(order.trade_no)).toMatchObject({
    refundPending: false,
    refundApprovalState: 'waiting',
  });
  await expect(
    drawer.getByText('A rule of your company asks for approval of the refund. Nothing is paid back before.'),
  ).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await approver.getByRole('row').filter({ hasText: order.trade_no }).getByRole('link').first().click();
  const request = approver.getByRole('dialog', { name: /^Request A/ });
  await expect(request.getByText('Nothing has changed since the request was made.')).toBeVisible();
  expect(await violationsOf(approver)).toEqual([]);
  await request.getByRole('button', { name: 'Approve' }).click();
  await approve(approver);
  await expect(approver.getByText('Your approval was recorded.')).toBeVisible();
  await expect(drawer.getByText('Refund received').first()).toBeVisible();
  await expect(drawer.getByText('Approved; the refund is made')).toBeVisible();
  await payer.context().close();
  await approver.context().close();
});
