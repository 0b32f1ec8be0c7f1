import { expect } from '@playwright/test';
import { violationsInThemes } from './axe.ts';
import { enter, expectFit, expectPagesFit } from './office.ts';
import { backOfficeUrl, open } from './people.ts';
import { test } from './story.ts';

test('the pages have no violations and fit a phone', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '/', 'en', backOfficeUrl());
  await expect(page.getByLabel('Password')).toBeVisible();
  expect(await violationsInThemes(page)).toEqual([]);
  await enter(page, '/');
  await expectPagesFit(page, [
    ['/', 'Available'],
    ['/topups', 'Earlier top-ups of the merchant'],
    ['/withdrawals', 'Other withdrawals of the merchant'],
    ['/requests?state=expired', 'There are no requests in this state.'],
    ['/account', 'This device'],
  ]);
});

test('the pages of merchants have no violations and fit a phone', async ({ page }) => {
  test.setTimeout(120_000);
  await enter(page, '/merchants');
  await expectPagesFit(page, [
    ['/merchants', 'demo'],
    ['/merchants/new', 'Daily settlement at'],
    ['/merchants/demo', 'Balances'],
    ['/merchants/demo?part=people', 'Second factor'],
    ['/merchants/demo?part=access', 'IP whitelist'],
    ['/merchants/demo?part=terms', 'Per collection'],
    ['/merchants/demo?part=notes', 'New note'],
    ['/merchants/demo?part=actions', 'Merchant created'],
  ]);
});

test('a look at a merchant has no violations and fits a phone', async ({ page }) => {
  test.setTimeout(120_000);
  await enter(page, '/merchants/demo/view/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const begin = page.getByRole('button', { name: 'Start viewing' });
  await expect(begin.or(page.getByText('You cannot change anything.')).first()).toBeVisible();
  if (await begin.isVisible()) {
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByLabel('Reason').fill('The pages are checked');
    await begin.click();
  }
  await expectPagesFit(page, [
    ['/merchants/demo/view/dashboard', 'Available funds'],
    ['/merchants/demo/view/fundFlow', 'Balance after transaction'],
    ['/merchants/demo/view/collections', 'Merchant order number'],
    ['/merchants/demo/view/payouts', 'Payee'],
    ['/merchants/demo/view/settlements', 'Refunded'],
    ['/merchants/demo/view/dailyReport', 'Paid out'],
  ]);
});

test('orders have no violations and fit a phone', async ({ page }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, '/orders');
  for (const [query, shown] of [
    ['', 'Payouts and collections'],
    ['?search=nowhere', 'No results match these filters.'],
    ['?kind=payout&status=processed', 'Processed'],
  ] as const) {
    await page.goto(`${backOfficeUrl()}/orders${query}`);
    await expect(page.getByText(shown).first()).toBeVisible();
    await expectFit(page, `orders${query}`);
  }
  await page
    .getByRole('link', { name: /^P\d+$/ })
    .first()
    .click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Ledger entries' })).toBeVisible();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsInThemes(page), `drawer at ${width}`).toEqual([]);
  }
});

test('the parts of the service have no violations and fit a phone', async ({ page }) => {
  test.setTimeout(120_000);
  await enter(page, '/service');
  await expectPagesFit(page, [
    ['/service', 'Ledger proofs'],
    ['/service/channels', 'Brazil PIX'],
    ['/service/incidents', 'Report an incident'],
    ['/service/announcements', 'Announce'],
    ['/service/contact', 'Add a contact'],
    ['/service/rates', 'Tron (TRC20)'],
    ['/service/audit', 'Older entries'],
    ['/service/accounts', 'Add a person'],
  ]);
});
