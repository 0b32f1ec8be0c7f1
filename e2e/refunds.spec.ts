import { expect, type Page } from '@playwright/test';
import { demoKey, productUrl, signIn, visit } from './people.ts';
import { type Order, ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const shop = () => new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });

/** Makes an order that its payer pays at the bank. */
async function paidOrder(page: Page, amount: string): Promise<Order> {
  const out_trade_no = `REFUND-${Date.now()}`;
  const order = await shop().create({ out_trade_no, amount, currency: 'CNY', subject: 'Tea' });
  await page.goto(`${order.cashierUrl}?lang=en`);
  await page.getByRole('button', { name: `Pay ¥${amount}` }).click();
  await page.getByRole('link', { name: 'Continue to your bank' }).click();
  await page.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  return order;
}

test('a payment is given back in two parts, live, and the list of refunds shows both', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  const order = await paidOrder(await context.newPage(), '50.00');
  await signIn(page, `/collection/payments?open=${order.trade_no}`);
  const drawer = page.getByRole('dialog', { name: `Order ${order.trade_no}` });
  const refunds = drawer.getByRole('region', { name: 'Refunds' });
  await expect(refunds.getByText('Left to refund: ¥50.00')).toBeVisible();

  await refunds.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund to the payer' });
  await dialog.getByLabel('Amount').fill('20.00');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription(/./);
  await dialog.getByLabel('Reason').fill('One item returned');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('A refund cannot be taken back')).toBeVisible();
  await dialog.getByLabel('Payment password').fill('888888');
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  // Without a reload.
  const first = refunds.getByRole('listitem').filter({ hasText: `${order.trade_no}-R1` });
  await expect(first).toContainText('Refunded');
  await expect(first).toContainText('¥20.00');
  await expect(refunds.getByText('Left to refund: ¥30.00')).toBeVisible();

  // More than is left is refused where it was typed, before the password.
  await refunds.getByRole('button', { name: 'Refund', exact: true }).click();
  await dialog.getByLabel('Amount').fill('30.01');
  await dialog.getByLabel('Reason').fill('Too much');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('At most ¥30.00 is left to refund.')).toBeVisible();
  await expect(dialog.getByLabel('Payment password')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await shop().refund(order.trade_no);
  await expect(drawer.getByText('Refund received').first()).toBeVisible();

  await visit(page, `/collection/refunds?trade_no=${order.trade_no}`);
  await expect(page.getByRole('row').filter({ hasText: `${order.trade_no}-R` })).toHaveCount(2);
  await page.getByRole('link', { name: `${order.trade_no}-R1` }).click();
  const detail = page.getByRole('dialog', { name: `Refund ${order.trade_no}-R1` });
  await expect(detail.getByText('One item returned')).toBeVisible();
  await expect(detail.getByText('Console')).toBeVisible();
});
