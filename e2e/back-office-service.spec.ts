import { expect } from '@playwright/test';
import { enter, staffCredentials } from './office.ts';
import { backOfficeUrl, operator, signIn } from './people.ts';
import { test } from './story.ts';

test('an incident is reported, updated and resolved, and a merchant reads it', async ({
  context,
  page: merchant,
}) => {
  const title = `Slow exports ${Date.now()}`;
  const office = await context.newPage();
  await enter(office, '/service/incidents');
  await office.getByRole('button', { name: 'Report an incident' }).click();
  const report = office.getByRole('dialog', { name: 'Report an incident' });
  // Nothing is sent without a text in English.
  await report.getByLabel('Title in English').fill(title);
  await report.getByRole('button', { name: 'Report an incident' }).click();
  await expect(report.getByText('This field is required.')).toBeVisible();
  await report.getByLabel('Text in English').fill('We are looking into it.');
  await report.getByLabel('Title in Chinese').fill('导出较慢');
  await report.getByRole('button', { name: 'Report an incident' }).click();
  const card = office.getByRole('region', { name: title });
  await expect(card.getByText('导出较慢')).toBeVisible();

  await card.getByRole('button', { name: 'Post an update' }).click();
  const update = office.getByRole('dialog', { name: 'Post an update' });
  await update.getByLabel('Stage').selectOption('Identified');
  await update.getByLabel('Text in English').fill('A disk was slow.');
  await update.getByRole('button', { name: 'Post an update' }).click();
  await expect(card.getByText('A disk was slow.')).toBeVisible();
  await card.getByRole('button', { name: 'Resolve' }).click();
  const end = office.getByRole('dialog', { name: 'Resolve' });
  await end.getByLabel('Text in English').fill('Exports are quick again.');
  await end.getByRole('button', { name: 'Resolve' }).click();
  await expect(card.getByRole('button', { name: 'Resolve' })).toBeHidden();
  await expect(card.getByText('Exports are quick again.')).toBeVisible();

  await signIn(merchant, '/statusPages');
  await expect(merchant.getByText(title)).toBeVisible();
  await expect(merchant.getByText('Exports are quick again.')).toBeVisible();
});

test('a channel is closed and opened by an administrator, and the audit log has both', async ({ page }) => {
  await enter(page, '/service/channels');
  await page.getByRole('button', { name: 'Close Brazil PIX: payouts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close Brazil PIX: payouts?' });
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Open Brazil PIX: payouts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Close Brazil PIX: payouts' })).toBeVisible();

  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Action').selectOption('Channel opened or closed');
  await page.getByLabel('Object').fill('BR_PIX');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/action=channel\.set/);
  const rows = page.getByRole('row', { name: /Brazil PIX/ });
  await expect(rows).not.toHaveCount(0);
  await rows.first().getByRole('button', { name: 'Details' }).click();
  const entry = page.getByRole('dialog', { name: 'Channel opened or closed' });
  await expect(entry.getByRole('row', { name: 'Payouts No Yes' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByLabel('Who').fill('somebody');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('Enter an email address, or operator: and a name.')).toBeVisible();
});

test('a contact is asked for, and merchants see it once a second person agrees', async ({
  context,
  page: merchant,
}) => {
  const office = await context.newPage();
  await enter(office, '/service/contact');
  const address = `help-${Date.now()}@hengfu.test`;
  await office.getByRole('button', { name: 'Add a contact' }).click();
  const dialog = office.getByRole('dialog');
  await dialog.getByLabel('Value').fill('nobody');
  await dialog.getByLabel('Reason').fill('A new mailbox.');
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(dialog.getByText('This value does not fit its kind. Please check it.')).toBeVisible();
  await dialog.getByLabel('Value').fill(address);
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(office.getByText('The request waits for a second person.')).toBeVisible();
  const row = office.getByRole('row', { name: address });
  await expect(row).toBeHidden();
  // Of the demo's people, one administers the page. An operator asks for another contact, and the administrator agrees.
  const asked = `desk-${address}`;
  const { request } = await operator('contact', 'set', 'email', asked, '--note', 'For stories');
  await office.goto(`${backOfficeUrl()}/requests?request=${request}`);
  await office.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(office.getByText('Approved and done')).toBeVisible();
  await signIn(merchant, '/contactUs');
  await expect(merchant.getByText(asked)).toBeVisible();
  await office.goto(`${backOfficeUrl()}/service/contact`);
  await office.getByRole('row', { name: asked }).getByRole('button', { name: 'Remove' }).click();
  await office.getByRole('dialog').getByLabel('Reason').fill('Not needed any more.');
  await office.getByRole('dialog').getByRole('button', { name: 'Ask a second person' }).click();
  await expect(office.getByText('The request waits for a second person.')).toBeVisible();
});

test('a rate is asked for by one person, and applies once another one agrees', async ({ context, page }) => {
  await enter(page, '/service/rates');
  await page.getByRole('button', { name: 'Set a rate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a rate' });
  await dialog.getByLabel('Currency').selectOption('INR');
  await dialog.getByLabel('One USDT').fill('0');
  await dialog.getByLabel('Reason').fill('The first rate for India.');
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(dialog.getByText('Enter a rate, such as 7.15.')).toBeVisible();
  await dialog.getByLabel('One USDT').fill('83.25');
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(page.getByText('The request waits for a second person.')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'INR' })).toBeHidden();

  const browser = context.browser();
  if (!browser) throw new Error('no browser');
  const colleague = await (await browser.newContext()).newPage();
  await enter(colleague, '/requests', { ...staffCredentials, email: 'second@hengfu.test' });
  await colleague.getByRole('row', { name: /INR/ }).getByRole('button').click();
  const request = colleague.getByRole('dialog', { name: 'Set an exchange rate' });
  await expect(request.getByText('83.25')).toBeVisible();
  await request.getByRole('button', { name: 'Approve' }).click();
  await expect(colleague.getByText('Approved and done')).toBeVisible();
  // The first person sees it without a reload.
  await expect(page.getByRole('row', { name: /INR 83\.25/ })).toBeVisible();
  await colleague.context().close();
});

test('a new account is asked for with a reason and roles', async ({ page }) => {
  await enter(page, '/service/accounts');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByLabel('Email').fill(`new-${Date.now()}@hengfu.test`);
  await dialog.getByLabel('Name').fill('New colleague');
  await dialog.getByLabel('Reason').fill('Starts on Monday.');
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(dialog.getByText('Please choose at least one role.')).toBeVisible();
  await dialog.getByLabel('Support').check();
  await dialog.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(page.getByText('The request waits for a second person.')).toBeVisible();
  // Nobody changes the own account.
  await expect(page.getByRole('button', { name: 'Change 沈嘉宁' })).toBeHidden();
  await page.getByRole('button', { name: 'Change 何志强' }).click();
  await page.getByRole('menuitem', { name: 'Change roles' }).click();
  const roles = page.getByRole('dialog', { name: 'Change roles' });
  await expect(roles.getByLabel('Reviewer')).toBeChecked();
});

test('a reviewer sees what the role allows, and nothing to change', async ({ page }) => {
  await enter(page, '/service/audit', { ...staffCredentials, email: 'second@hengfu.test' });
  await expect(page.getByText('Your roles do not include this page.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Audit log' })).toBeHidden();
  await page.getByRole('link', { name: 'Channels' }).click();
  await expect(page.getByRole('cell', { name: 'Brazil PIX' }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Brazil PIX/ })).toBeHidden();
});
