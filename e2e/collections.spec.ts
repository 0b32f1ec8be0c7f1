import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { demoKey, open, operator, productUrl, signIn, visit } from './people.ts';
import { CallbackReceiver } from './shop/callback-receiver.ts';
import { type Order, ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const run = promisify(execFile);
const shop = () => new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });

let callbacks: CallbackReceiver;
let phone: BrowserContext;
let payer: Page;

test.beforeAll(async ({ browser }) => {
  callbacks = await CallbackReceiver.start({ secret: demoKey.secret });
  phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
  });
  payer = await phone.newPage();
});
test.afterAll(async () => {
  await phone.close();
  await callbacks.close();
});

let count = 0;
/** Creates an order, as the shop's program would. */
function createOrder(amount: string, fields: { expiresIn?: number } = {}): Promise<Order> {
  const out_trade_no = `E2E-${Date.now()}-${count++}`;
  return shop().create({
    out_trade_no,
    amount,
    currency: 'CNY',
    subject: 'Tea',
    notifyUrl: callbacks.url,
    ...fields,
  });
}

/** Opens the link as the payer, checks the amount, and continues to the bank's page. */
async function goToBank(order: Order, shown: string): Promise<void> {
  await payer.goto(`${order.cashierUrl}?lang=en`);
  await expect(payer.getByText(shown).first()).toBeVisible();
  await expect(payer.getByText(/^\d{1,2}:\d{2}$/).first()).toBeVisible();
  await payer.getByRole('button', { name: `Pay ${shown}` }).click();
  await payer.getByRole('link', { name: 'Continue to your bank' }).click();
  await expect(payer.getByRole('heading', { name: 'Confirm this payment?' })).toBeVisible();
}

const confirmAtBank = () => payer.getByRole('button', { name: 'Confirm payment' }).click();

/** The list's row of an order. */
const rowOf = (page: Page, order: Order) => page.getByRole('row').filter({ hasText: order.out_trade_no });

const collectedCount = async (page: Page): Promise<number> => {
  const { data } = await (await page.request.get(`${productUrl()}/api/merchant/dashboard`)).json();
  return data.current.collection.count;
};

test('a payer pays, the merchant sees it, the shop gets a callback, and the money is settled', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  await signIn(page, '/collection/payments');
  const before = await collectedCount(page);
  const dashboard = await context.newPage();
  await open(dashboard, '/dashboard');
  const collected = dashboard.getByRole('region', { name: 'Collected' });
  await expect(collected.getByText(String(before), { exact: true })).toBeVisible();

  const order = await createOrder('128.50');
  const row = rowOf(page, order);
  await expect(row).toContainText('To be paid');
  await expect(row).not.toContainText('¥0.00');

  let reloads = 0;
  page.on('load', () => reloads++);
  await goToBank(order, '¥128.50');
  await confirmAtBank();
  await expect(payer.getByRole('heading', { name: 'Payment successful' })).toBeVisible();

  const message = await callbacks.next('collection.paid', { outTradeNo: order.out_trade_no });
  expect(message.data).toMatchObject({
    trade_no: order.trade_no,
    status: 'paid',
    amount: '128.50',
    fee: '0.77',
  });
  await expect(row).toContainText('Success');
  await expect(row).toContainText('Unsettled');
  await expect(collected.getByText(String(before + 1), { exact: true })).toBeVisible();
  expect(reloads).toBe(0);

  const { settlement_no: settlementNo } = await operator('settlement', 'run', '--merchant', 'demo');
  await expect(row).toContainText('Settled');
  await visit(page, `/collection/Settlements?open=${settlementNo}`);
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText(order.out_trade_no)).toBeVisible();
  await expect(drawer.getByText('The net amount matches the order total.')).toBeVisible();
  await expect(drawer.getByText(/^Order total: ¥[\d,.]+$/)).toBeVisible();
  expect(await operator('ledger', 'verify')).toMatchObject({ violations: [] });
});

test.describe('off the happy path', () => {
  test('shows the payer that the bank refused, and fails the order', async () => {
    const order = await createOrder('50.01');
    await goToBank(order, '¥50.01');
    await confirmAtBank();
    await expect(payer.getByRole('heading', { name: 'Payment failed' })).toBeVisible();
    await callbacks.next('collection.failed', { outTradeNo: order.out_trade_no });
    expect((await shop().get(order.trade_no)).status).toBe('failed');
  });

  test('accepts a payment that arrives after the order has expired', async ({ page }) => {
    test.setTimeout(90_000);
    const order = await createOrder('50.04', { expiresIn: 12 });
    await goToBank(order, '¥50.04');
    await confirmAtBank();
    await callbacks.next('collection.closed', { outTradeNo: order.out_trade_no, timeoutMs: 40_000 });
    await callbacks.next('collection.paid', { outTradeNo: order.out_trade_no, timeoutMs: 40_000 });
    await signIn(page, `/collection/payments?open=${order.trade_no}`);
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByText('Not paid in time')).toBeVisible();
    await expect(drawer.getByText('Paid after the order was closed')).toBeVisible();
  });

  test('shows the payer a cancellation by the shop without a reload', async () => {
    const order = await createOrder('50.10');
    await payer.goto(`${order.cashierUrl}?lang=en`);
    await expect(payer.getByRole('button', { name: 'Pay ¥50.10' })).toBeVisible();
    expect((await shop().cancel(order.trade_no)).status).toBe('cancelled');
    await expect(payer.getByRole('heading', { name: 'Order cancelled' })).toBeVisible({ timeout: 20_000 });
  });

  test('books a payment once if the bank sends two callbacks at once', async () => {
    const order = await createOrder('50.03');
    await goToBank(order, '¥50.03');
    await confirmAtBank();
    await expect(payer.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
    await callbacks.next('collection.paid', { outTradeNo: order.out_trade_no });
    expect(await operator('ledger', 'verify')).toMatchObject({ violations: [] });
    expect(callbacks.messages.filter(({ data }) => data.trade_no === order.trade_no)).toHaveLength(1);
  });

  test('accepts a callback from the bank that arrives before its reply', async () => {
    const order = await createOrder('50.05');
    await payer.goto(`${order.cashierUrl}?lang=en`);
    await payer.getByRole('button', { name: 'Pay ¥50.05' }).click();
    await expect(payer.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
    await callbacks.next('collection.paid', { outTradeNo: order.out_trade_no });
  });

  test('refunds a payment at the shop’s request', async ({ page }) => {
    const order = await createOrder('60.00');
    await goToBank(order, '¥60.00');
    await confirmAtBank();
    await callbacks.next('collection.paid', { outTradeNo: order.out_trade_no });
    await signIn(page, `/collection/payments?out_trade_no=${order.out_trade_no}`);
    await expect(rowOf(page, order)).toContainText('Success');
    expect((await shop().refund(order.trade_no)).refundPending).toBe(true);
    await callbacks.next('collection.refunded', { outTradeNo: order.out_trade_no });
    await expect(rowOf(page, order)).toContainText('Refund received');
    await payer.goto(`${order.cashierUrl}?lang=en`);
    await expect(payer.getByRole('heading', { name: 'Refunded' })).toBeVisible();
  });
});

test.describe('the list', () => {
  test('keeps its filters in the URL and finds an order by its number', async ({ page }) => {
    const order = await createOrder('70.00');
    await signIn(page, '/collection/payments');
    await page.getByRole('textbox', { name: 'Merchant order number' }).fill(order.out_trade_no);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`out_trade_no=${order.out_trade_no}`));
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.reload();
    await expect(rowOf(page, order)).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).not.toHaveURL(/out_trade_no/);
  });

  test('asks nothing about one order that was asked about another', async ({ page }) => {
    const [older, newer] = [await createOrder('71.00'), await createOrder('72.00')];
    await signIn(page, '/collection/payments?status=toBePaid');
    await rowOf(page, newer).getByRole('link').first().click();
    const step = (name: string) => page.getByRole('dialog').getByRole('button', { name });
    const drawer = (tradeNo: string) => page.getByRole('dialog', { name: `Order ${tradeNo}` });
    await drawer(newer.trade_no).getByRole('button', { name: 'Cancel the order' }).waitFor();
    await step('Next in the list').click();
    await drawer(older.trade_no).getByRole('button', { name: 'Cancel the order' }).waitFor();
    await step('Previous in the list').click();
    await drawer(newer.trade_no).getByRole('button', { name: 'Cancel the order' }).click();
    const question = page.getByText('The payer can no longer pay it');
    await expect(question).toBeVisible();
    await step('Next in the list').click();
    await expect(drawer(older.trade_no)).toBeVisible();
    await expect(question).toHaveCount(0);
  });

  test('pages through the rows, and says when nothing matches', async ({ page }) => {
    await signIn(page, '/collection/payments');
    const first = await page.getByRole('row').nth(1).innerText();
    await page.getByRole('button', { name: 'Older' }).click();
    await expect(page).toHaveURL(/cursor=/);
    await expect(page.getByRole('row').nth(1)).not.toHaveText(first);
    await open(page, '/collection/payments?trade_no=C000000000000000000000');
    await expect(page.getByText('No results match these filters.')).toBeVisible();
  });
});

test('the sample shop finds the running product by its data directory, and says how to start one', async () => {
  const shopProgram = (env: Record<string, string | undefined>) =>
    run(process.execPath, [join(import.meta.dirname, 'shop/shop.ts'), 'create', '--amount', '1.00'], {
      env: { ...process.env, ...env },
    });
  const { stdout } = await shopProgram({ PORT: '', DATA_DIR: process.env.E2E_DATA_DIR });
  expect(stdout).toMatch(new RegExp(`^${productUrl()}/pay/`));
  expect((await shopProgram({ PORT: new URL(productUrl()).port })).stdout).toContain('/pay/');
  const refused = await shopProgram({ PORT: '1' }).catch((error: { stderr: string }) => error);
  expect(refused.stderr).toContain('No service answers at http://127.0.0.1:1. Start one with "npm start"');
});
