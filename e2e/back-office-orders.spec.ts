import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { enter } from './office.ts';
import { demoKey, productUrl, signIn } from './people.ts';
import { CallbackReceiver } from './shop/callback-receiver.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

test('support finds a new order by the merchant’s number, follows it to its payment, and sends its callback again', async ({
  context,
  page,
}) => {
  const callbacks = await CallbackReceiver.start({ secret: demoKey.secret });
  const shop = new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });
  await enter(page, '/orders');
  const rows = page.getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  const outTradeNo = `office-${Date.now()}`;
  const order = await shop.create({
    out_trade_no: outTradeNo,
    amount: '64.20',
    currency: 'CNY',
    notifyUrl: callbacks.url,
  });
  // The list follows all merchants without a reload.
  await expect(rows.filter({ hasText: outTradeNo })).toBeVisible();

  await page.getByLabel('Number or account').fill(outTradeNo);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`search=${outTradeNo}`));
  await expect(rows).toHaveCount(2);
  await page.getByRole('link', { name: order.trade_no }).click();
  const drawer = page.getByRole('dialog', { name: `Order ${order.trade_no}` });
  await expect(drawer.getByText('None: no money has moved.')).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Ask the channel now' })).toBeHidden();

  const payer = await context.newPage();
  await payer.goto(`${order.cashierUrl}?lang=en`);
  await payer.getByRole('button', { name: 'Pay ¥64.20' }).click();
  await payer.getByRole('link', { name: 'Continue to your bank' }).click();
  // The address holds the search and the open order.
  await page.reload();
  await drawer.getByRole('button', { name: 'Ask the channel now' }).click();
  await expect(page.getByText('The channel is being asked')).toBeVisible();
  await payer.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(drawer.getByText('Payment confirmed by the channel')).toBeVisible();
  await expect(drawer.getByRole('row', { name: /Payment received .* Clearing/ })).toBeVisible();

  // The merchant's endpoints receive it, too.
  const own = drawer.getByRole('region', { name: callbacks.url });
  await expect(own.getByText('Delivered')).toBeVisible();
  const sent = () => callbacks.messages.filter(({ data }) => data.trade_no === order.trade_no);
  await expect.poll(() => sent().length).toBe(1);
  await own.getByRole('button', { name: 'Send collection.paid again' }).click();
  await expect(own.getByText('Attempt 2')).toBeVisible();
  expect(new Set(sent().map(({ id }) => id)).size).toBe(1);
  expect(sent().length).toBe(2);
  await callbacks.close();
});

test('the number of a refund leads to its collection, which shows the refund, its steps and amounts', async ({
  context,
  page,
}) => {
  const merchant = await context.newPage();
  await signIn(merchant, '/collection/refunds?status=failed');
  const number = await merchant
    .getByRole('link', { name: /-R\d+$/ })
    .first()
    .textContent();
  await enter(page, `/orders?search=${number}`);
  await page
    .getByRole('link', { name: /^C\d+$/ })
    .first()
    .click();
  const refund = page.getByRole('dialog').getByRole('region', { name: `Refund ${number}` });
  await expect(refund.getByText('Failed').first()).toBeVisible();
  await expect(refund.getByText(/^Requested through: /)).toBeVisible();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsOf(page), `at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});
