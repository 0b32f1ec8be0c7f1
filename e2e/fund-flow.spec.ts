import { expect } from '@playwright/test';
import { enterDay } from './controls.ts';
import { newMerchant, open, operatorAlone, signIn, visit } from './people.ts';
import { test } from './story.ts';

test('the statement adds up, links to its orders, and updates live', async ({ page }) => {
  await signIn(page, '/');
  await page.getByRole('link', { name: 'View breakdown' }).click();
  await expect(page.getByRole('heading', { name: 'Transactions', level: 1 })).toBeVisible();
  await expect(page.getByText('Opening + in − out = closing')).toBeVisible();
  await expect(page.getByText('Order totals match the ledger')).toHaveCount(2);
  const sums = page.getByRole('region', { name: /^Transactions in this range/ });
  await expect(sums.getByText('¥0.00')).toBeVisible();

  const code = await newMerchant('flow');
  const { transfer_no } = await operatorAlone(
    'transfer',
    '--from',
    'demo',
    '--to',
    code,
    '--amount',
    '12.34',
    '--key',
    code,
  );
  const row = page.getByRole('row').filter({ hasText: String(transfer_no) });
  await expect(row).toContainText('Funds transfer out');
  await expect(row).toContainText('-¥12.34');

  await visit(page, '/fund/fundWater?type=payoutRefund');
  await expect(page.getByRole('row').nth(1)).toContainText('Proxy payment refund');
  await page.getByRole('row').nth(1).getByRole('link').click();
  await expect(
    page
      .getByRole('dialog', { name: /^Payout P/ })
      .getByText('Rejected')
      .first(),
  ).toBeVisible();
});

test('a hint explains the names of the transaction types', async ({ page }) => {
  await signIn(page, '/fund/fundWater');
  const heading = page.getByRole('columnheader', { name: 'Transaction type' });
  await expect(page.getByRole('tooltip')).toBeHidden();
  await heading.getByRole('button', { name: 'Transaction type' }).hover();
  await expect(page.getByRole('tooltip')).toContainText('is the amount and fee of a payout');
});

test('the figures of a past moment are shown', async ({ page }) => {
  await signIn(page, '/fund/fundWater');
  const section = page.getByRole('region', { name: 'Balance breakdown' });
  await enterDay(page, 'Balance as of', '2020-01-01');
  await expect(section.getByText(/^As of /)).toBeVisible();
  await expect(section.getByText('¥0.00')).toHaveCount(4);
  await section.getByRole('button', { name: 'Show current' }).click();
  await expect(section.getByText('Order totals match the ledger')).toHaveCount(2);
});

test('a list whose older entries are archived says so, and leads to their export', async ({ page }) => {
  // Pretends that months are archived, which `server/src/archive/entries.test.ts` really does.
  await page.route(/\/api\/merchant\/fund-flow\?/, async (route) => {
    const response = await route.fetch();
    const reply = await response.json();
    await route.fulfill({ response, json: { ...reply, archivedBefore: '2026-05-01T00:00:00.000Z' } });
  });
  await signIn(page, '/fund/fundWater?type=payoutRefund');
  await expect(page.getByText('Transactions before May 01, 2026, 08:00 are archived.')).toBeVisible();
  await page.getByRole('button', { name: 'Export them' }).click();
  const submitted = page.waitForRequest(
    (request) => request.url().endsWith('/api/merchant/exports') && request.method() === 'POST',
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  expect((await submitted).postDataJSON()).toMatchObject({
    list: 'fundFlow',
    filters: { type: 'payoutRefund' },
    columns: [],
  });
});

test('the list of settlements forecasts the next one', async ({ page }) => {
  await signIn(page, '/collection/Settlements');
  await expect(page.getByText(/^Next settlement: ¥[\d,.]+ on /)).toBeVisible();
});

for (const [language, title, type] of [
  ['zh-cn', '资金流水', '代付扣款（含手续费）'],
  ['vi', 'Biến động số dư', 'Trừ tiền chi hộ (gồm phí)'],
] as const) {
  test(`the statement is shown in ${language}`, async ({ page }) => {
    await open(page, '/fund/fundWater', language);
    await page.locator('#email').fill('demo@hengfu.test');
    await page.locator('#password').fill('Demo-pass-2026');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect(page.getByText(type).first()).toBeVisible();
  });
}
