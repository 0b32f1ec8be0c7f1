import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { newMerchant, newUser, operatorAlone, password, signIn } from './people.ts';
import { test } from './story.ts';

/** Confirms the login password, if the page asks for it before it shows something else. */
async function confirmIfAsked(page: Page, shown: ReturnType<Page['getByText']>): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm your login password' });
  await expect(shown.or(asked).first()).toBeVisible();
  if (!(await asked.isVisible())) return;
  await asked.getByLabel('Login password').fill(password);
  await asked.getByRole('button', { name: 'Confirm' }).click();
}

async function manage(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Manage ${name}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('an owner makes a role, gives it, and takes a permission from it: the member’s open page follows', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const merchant = await newMerchant('roles');
  const owner = await newUser(merchant, { role: 'ROOT' });
  const clerk = await newUser(merchant, { role: 'SUPPORT', name: 'Clara Clerk' });
  await signIn(page, '/setting/team', owner);
  await expect(page.getByText('None yet.')).toBeVisible();

  await page.getByRole('button', { name: 'New role' }).click();
  const making = page.getByRole('dialog', { name: 'New role' });
  await making.getByRole('button', { name: 'Create role' }).click();
  await expect(making.getByText('Please enter a name for the role.')).toBeVisible();
  await expect(making.getByText('Please choose at least one permission.')).toBeVisible();
  await making.getByLabel('Name', { exact: true }).fill('owner');
  await making.getByLabel('Start from').selectOption({ label: 'Support' });
  await expect(making.getByRole('checkbox', { name: 'See collections and their details.' })).toBeChecked();
  await making.getByRole('checkbox', { name: 'Send payouts and batches' }).check();
  // A permission that another one needs comes with it, and says why.
  const needed = making.getByRole('checkbox', { name: 'See payouts and batches.' });
  await expect(needed).toBeChecked();
  await expect(needed).toBeDisabled();
  await expect(making.getByText('Needed for: Send payouts and batches').first()).toBeVisible();
  await making.getByRole('button', { name: 'Create role' }).click();
  const taken = making.getByText('A role has this name already.');
  await confirmIfAsked(page, taken);
  await expect(taken).toBeVisible();
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([]);
  await making.getByLabel('Name', { exact: true }).fill('Front desk');
  await making.getByLabel('Description').fill('Pays suppliers and looks up orders.');
  await making.getByRole('button', { name: 'Create role' }).click();
  await expect(page.getByText('Role Front desk created.')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Front desk' })).toBeVisible();

  const desk = await (await browser.newContext()).newPage();
  await desk.addInitScript(() => localStorage.setItem('sidebarStatus', 'opened'));
  await signIn(desk, '/collection/payments', clerk);
  const menu = desk.getByRole('navigation', { name: 'Main menu' });
  await expect(menu.getByText('Transactions').first()).toBeVisible();
  await expect(menu.getByText('Send money')).toHaveCount(0);

  await manage(page, 'Clara Clerk', 'Change roles');
  const giving = page.getByRole('dialog', { name: 'Roles of Clara Clerk' });
  await expect(giving.getByText('Pays suppliers and looks up orders.')).toBeVisible();
  await giving.getByRole('checkbox', { name: 'Front desk' }).check();
  await giving.getByRole('checkbox', { name: 'Support' }).uncheck();
  await giving.getByRole('button', { name: 'Save' }).click();
  await expect(menu.getByText('Send money').first()).toBeVisible();

  await manage(page, 'role Front desk', 'Change');
  const changing = page.getByRole('dialog', { name: 'Change role Front desk' });
  await changing.getByRole('checkbox', { name: 'Send payouts and batches' }).uncheck();
  await changing.getByRole('checkbox', { name: 'See payouts and batches.' }).uncheck();
  await expect(changing.getByText('This applies from the next click on, to: Clara Clerk.')).toBeVisible();
  await expect(changing.getByText('Taken away:')).toBeVisible();
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([]);
  await changing.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Role Front desk changed.')).toBeVisible();
  await expect(menu.getByText('Send money')).toHaveCount(0);
  await expect(menu.getByText('Transactions').first()).toBeVisible();

  await manage(page, 'role Front desk', 'Retire');
  const retiring = page.getByRole('dialog', { name: 'Retire Front desk?' });
  await retiring.getByRole('button', { name: 'Retire' }).click();
  await expect(retiring.getByText('Members and invitations that still have this role: 1.')).toBeVisible();
  await desk.context().close();
});

test('of two people who change a role at once, the second is shown what the first has done', async ({
  page,
}) => {
  const merchant = await newMerchant('roles');
  const { code } = await operatorAlone(
    'role',
    'create',
    '--merchant',
    merchant,
    '--name',
    'Desk',
    '--perm',
    'collections.read',
  );
  await signIn(page, '/setting/team', await newUser(merchant, { role: 'ROOT' }));
  await manage(page, 'role Desk', 'Change');
  const dialog = page.getByRole('dialog', { name: /^Change role / });
  const change = ['--merchant', merchant, '--code', String(code), '--name', 'Help desk'];
  await operatorAlone('role', 'change', ...change, '--perm', 'collections.read', '--perm', 'topups.read');
  await dialog.getByRole('checkbox', { name: 'See withdrawals.' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const refused = dialog.getByText('Someone else has just changed this role.');
  await confirmIfAsked(page, refused);
  await expect(refused).toBeVisible();
  await expect(dialog.getByText('Name: Desk → Help desk')).toBeVisible();
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Help desk');
  await expect(dialog.getByRole('checkbox', { name: 'See top-ups.' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'See withdrawals.' })).not.toBeChecked();
  await dialog.getByRole('checkbox', { name: 'See withdrawals.' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('columnheader', { name: 'Help desk' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});
