import { type Browser, expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { newMerchant, newUser, open, operatorAlone, password, productUrl, signIn, visit } from './people.ts';
import { test } from './story.ts';

const ownPassword = 'Quiet-river-2026';

/** Opens the team's page as its owner. */
async function openTeam(page: Page, name: string): Promise<string> {
  const merchant = await newMerchant(name);
  const owner = await newUser(merchant, { role: 'ROOT' });
  await signIn(page, '/setting/team', owner);
  await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
  return merchant;
}

/** Confirms the login password, if the page asks for it. */
async function confirm(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await dialog.getByLabel('Login password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

/** Invites a person with a role, and returns the link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('checkbox', { name: role }).check();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const made = page.getByRole('dialog', { name: `Invitation for ${email}` });
  const asked = page.getByRole('dialog', { name: 'Confirm your login password' });
  await expect(made.or(asked)).toBeVisible();
  if (await asked.isVisible()) await confirm(page);
  const link = await made.getByText(/\/invitation\//).innerText();
  await made.getByRole('button', { name: 'Done' }).click();
  return link;
}

/** Joins by a link, in a browser of one's own. */
async function join(browser: Browser, link: string, name: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('sidebarStatus', 'opened'));
  await open(page, new URL(link, productUrl()).pathname);
  await page.getByLabel('Your name').fill(name);
  // Without a password nothing is sent, and one sentence says so.
  await page.getByRole('button', { name: 'Join the team' }).click();
  const field = page.getByLabel('Password', { exact: true });
  await expect(field).toHaveAccessibleDescription(/^[^.]+\.?$/);
  await field.fill(ownPassword);
  await page.getByLabel('Repeat the password').fill(ownPassword);
  await page.getByRole('button', { name: 'Join the team' }).click();
  return page;
}

const rowOf = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });

async function change(page: Page, email: string, entry: string): Promise<void> {
  await rowOf(page, email)
    .getByRole('button', { name: /^Manage / })
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('an invited person joins, and what the owner changes reaches the person’s open page at once', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const merchant = await openTeam(page, 'team');
  const email = `clerk@${merchant}.test`;
  const link = await invite(page, email, 'Support');
  await expect(rowOf(page, email)).toContainText('Open');

  const clerk = await join(browser, link, 'Clara Clerk');
  // Without a dashboard, the first page of the menu opens.
  await expect(clerk).toHaveURL(/\/collection\/payments/);
  const menu = clerk.getByRole('navigation', { name: 'Main menu' });
  await expect(menu.getByText('Transactions').first()).toBeVisible();
  await expect(menu.getByText('Send money')).toHaveCount(0);
  await expect(rowOf(page, email)).toContainText('Clara Clerk');

  await change(page, email, 'Change roles');
  const dialog = page.getByRole('dialog', { name: 'Roles of Clara Clerk' });
  await dialog.getByRole('checkbox', { name: 'Finance' }).check();
  await dialog.getByRole('checkbox', { name: 'Support' }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Roles changed.')).toBeVisible();
  await expect(menu.getByText('Send money').first()).toBeVisible();
  await expect(rowOf(page, email)).toContainText('Finance');
  expect(await violationsOf(page)).toEqual([]);

  // A colleague changes the roles while the dialog is open.
  await change(page, email, 'Change roles');
  await operatorAlone('user', 'roles', '--merchant', merchant, '--email', email, '--role', 'SUPPORT');
  await dialog.getByRole('checkbox', { name: 'Viewer' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Someone else has just changed these roles.');
  await expect(dialog.getByRole('checkbox', { name: 'Support' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Viewer' })).not.toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Finance' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(page, email)).toContainText('Finance');

  await change(page, email, 'Suspend');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await expect(rowOf(page, email)).toContainText('Suspended');
  // The page learns of it by its next call, unless it has already been told.
  const told = clerk.getByRole('dialog').or(clerk.getByRole('alertdialog')).first();
  await expect(async () => {
    if (!(await told.isVisible()))
      await clerk.getByRole('link', { name: 'Dashboard' }).first().click({ timeout: 2000 });
    await expect(told).toBeVisible({ timeout: 5000 });
  }).toPass();

  // The link works once.
  const again = await (await browser.newContext()).newPage();
  await open(again, new URL(link, productUrl()).pathname);
  await expect(again.getByText('This link has already been used.')).toBeVisible();
  expect(await violationsOf(again)).toEqual([]);
  for (const other of [clerk, again]) await other.context().close();
});

test('a revoked invitation no longer works, and an administrator cannot touch the owner', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const merchant = await openTeam(page, 'teamadmin');
  const guest = `guest@${merchant}.test`;
  const first = await invite(page, guest, 'Viewer');
  // A double click makes one link: a second one would end the first.
  let renewals = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/invitations/')) renewals++;
  });
  await rowOf(page, guest)
    .getByRole('button', { name: 'New link' })
    .evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
  const made = page.getByRole('dialog', { name: `Invitation for ${guest}` });
  const link = await made.getByText(/\/invitation\//).innerText();
  await made.getByRole('button', { name: 'Done' }).click();
  expect(link).not.toBe(first);
  expect(renewals).toBe(1);
  await rowOf(page, guest).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No open invitations.')).toBeVisible();
  const late = await (await browser.newContext()).newPage();
  await open(late, new URL(link, productUrl()).pathname);
  await expect(late.getByText(/This link has been revoked/)).toBeVisible();

  const admin = await join(
    browser,
    await invite(page, `admin@${merchant}.test`, 'Administrator'),
    'Ada Admin',
  );
  await expect(admin).toHaveURL(/\/dashboard/);
  await visit(admin, '/setting/team');
  await expect(admin.getByRole('heading', { name: 'Members' })).toBeVisible();
  // Neither the owner's entry nor the own one has a menu.
  await expect(admin.getByRole('button', { name: /^Manage / })).toHaveCount(0);
  await admin.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Invite a person' });
  await expect(dialog.getByRole('checkbox', { name: 'Administrator' })).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: 'Owner' })).toHaveCount(0);
  for (const other of [late, admin]) await other.context().close();
});

test('roles that somebody else changes while they are shown are not overwritten', async ({ page }) => {
  const merchant = await openTeam(page, 'teamstale');
  const { email } = await newUser(merchant, { role: 'MERCHANT_ADMIN' });
  await page.reload();
  await change(page, email, 'Change roles');
  const dialog = page.getByRole('dialog', { name: /^Roles of / });
  await dialog.getByRole('checkbox', { name: 'Support' }).check();
  await operatorAlone('user', 'roles', '--merchant', merchant, '--email', email, '--role', 'MERCHANT_VIEWER');
  // The list behind the dialog shows it.
  await expect(page.locator('li', { hasText: email })).toContainText('Viewer');
  await dialog.getByRole('checkbox', { name: 'Administrator' }).uncheck();
  await expect(dialog.getByText(/was able to read the access key/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await confirm(page);
  await expect(dialog.getByText(/has just changed these roles/)).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: 'Support' })).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, email)).toContainText('Viewer');
  await expect(rowOf(page, email)).not.toContainText('Support');
});

test('an invitation asks whoever is signed in to sign out first, and a link that leads nowhere says what to do', async ({
  page,
}) => {
  const merchant = await openTeam(page, 'teamlink');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const form = page.getByRole('dialog', { name: 'Invite a person' });
  await form.getByRole('button', { name: 'Create invitation' }).click();
  // The form names its empty fields before a password is asked for.
  await expect(form.getByText('Please choose at least one role.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await form.getByRole('button', { name: 'Cancel' }).click();

  const link = await invite(page, `guest@${merchant}.test`, 'Finance');
  const path = new URL(link, productUrl()).pathname;
  await open(page, path);
  await expect(page.getByText('Sends money, tops up, withdraws')).toBeVisible();
  await expect(page.getByLabel('Your name')).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Your name')).toBeVisible();

  await open(page, `${path.slice(0, -4)}AAAA`);
  await expect(page.getByText('This invitation does not exist.')).toBeVisible();
  await expect(page.getByText('Ask the person who invited you')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('the team is not open to somebody without its permission', async ({ page }) => {
  const merchant = await newMerchant('teamless');
  await signIn(page, '/dashboard', await newUser(merchant, { role: 'MERCHANT_VIEWER' }));
  await open(page, '/setting/team');
  await expect(page).toHaveURL(/\/403$/);
});

test('the page of the team fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, '/setting/team');
  await expect(page.getByRole('heading', { name: 'Roles and permissions' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
