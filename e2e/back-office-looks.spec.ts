import { expect } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { enter, staffCredentials } from './office.ts';
import { backOfficeUrl, signIn } from './people.ts';
import { test } from './story.ts';

test('support sees what a merchant sees, for a reason that the merchant reads', async ({
  context,
  page: merchant,
}) => {
  const reason = `A payout is missing ${Date.now()}`;
  const office = await context.newPage();
  await enter(office, '/merchants/demo');
  await office.getByRole('link', { name: 'See as this merchant' }).click();
  const begin = office.getByRole('button', { name: 'Start viewing' });
  // A look of an earlier story may still be open.
  await expect(begin.or(office.getByText('You cannot change anything.')).first()).toBeVisible();
  if (await begin.isVisible()) {
    await begin.click();
    await expect(office.getByText('Enter a reason')).toBeVisible();
    await office.getByLabel('Reason').fill(reason);
    await begin.click();
    await signIn(merchant, '/setting/auditLog');
    await expect(merchant.getByText('Console viewed by our support team').first()).toBeVisible();
  }
  await expect(office.getByText('Available funds')).toBeVisible();
  const pages = office.getByRole('navigation', { name: 'Pages of the merchant' });
  await pages.getByRole('link', { name: 'Payouts' }).click();
  await expect(office.getByRole('cell', { name: /^P\d/ }).first()).toBeVisible();
  await pages.getByRole('link', { name: 'Daily reports' }).click();
  await expect(office.getByRole('cell', { name: /^\d{4}-\d{2}-\d{2}$/ }).first()).toBeVisible();
  await expect(office.getByRole('button', { name: /Export/ })).toHaveCount(0);
});

test('an announcement appears in an open console, is changed, dismissed and ended', async ({
  context,
  page: merchant,
}) => {
  const text = `Payouts rest tonight ${Date.now()}`;
  await signIn(merchant, '/contactUs');
  const office = await context.newPage();
  await enter(office, '/service/announcements');
  const browser = context.browser();
  if (!browser) throw new Error('no browser');
  const second = await (await browser.newContext()).newPage();
  await enter(second, '/requests', { ...staffCredentials, email: 'second@hengfu.test' });
  const approve = async () => {
    await second.getByRole('button', { name: 'Announce to merchants' }).first().click();
    const request = second.getByRole('dialog', { name: 'Announce to merchants' });
    await expect(request.getByText(text).first()).toBeVisible();
    expect(await violationsOf(second)).toEqual([]);
    await request.getByRole('button', { name: 'Approve' }).click();
    await expect(second.getByText('Approved and done')).toBeVisible();
    await second.goto(`${backOfficeUrl()}/requests`);
  };
  await office.getByRole('button', { name: 'Announce' }).click();
  const dialog = office.getByRole('dialog', { name: 'Announce' });
  await dialog.getByLabel('Kind').selectOption('Maintenance');
  await dialog.getByLabel('Text in English').fill(text);
  await dialog.getByLabel('Merchants').fill('demo no-such');
  await dialog.getByLabel('Reason').fill('The bank rests');
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(dialog.getByText('There is no merchant “no-such”')).toBeVisible();
  await dialog.getByLabel('Merchants').fill('demo');
  expect(await violationsOf(office)).toEqual([]);
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await approve();
  const band = merchant.getByRole('region', { name: 'Announcements' });
  const line = band.getByRole('status').filter({ hasText: text });
  await expect(line).toBeVisible();
  expect(await violationsOf(merchant)).toEqual([]);
  await line.getByRole('button', { name: 'Dismiss' }).click();
  await expect(line).toBeHidden();
  await merchant.reload();
  await expect(merchant.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(line).toBeHidden();

  const card = office.getByRole('region').filter({ hasText: text });
  await card.getByRole('button', { name: 'Change' }).click();
  const change = office.getByRole('dialog', { name: 'Change' });
  await change.getByLabel('Kind').selectOption('Warning');
  await change.getByLabel('Reason').fill('It takes longer');
  await change.getByRole('button', { name: 'Ask a second person' }).click();
  await approve();
  await expect(line).toBeVisible();
  await card.getByRole('button', { name: 'End now' }).click();
  await expect(line).toBeHidden();
});
