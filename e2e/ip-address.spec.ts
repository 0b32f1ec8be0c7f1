import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { newUser, operator, password, signIn } from './people.ts';
import { test } from './story.ts';

// Tracing axe's check would take longer than the check.
test.use({ trace: 'off' });

test('a whitelist that allows the whole internet is saved only after a second confirmation', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const merchant = `open-${Date.now()}`;
  await operator(
    'merchant',
    'create',
    '--code',
    merchant,
    '--name',
    'Open',
    '--currency',
    'CNY',
    '--zone',
    'Asia/Shanghai',
  );
  await signIn(page, '/setting/ipAddress', await newUser(merchant));
  const list = page.getByRole('textbox', { name: 'IP whitelist' });
  await list.fill('203.0.113.7\n0.0.0.0/0');
  await page.getByRole('button', { name: 'Save' }).click();
  const passwordDialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await passwordDialog.getByLabel('Login password').fill(password);
  await passwordDialog.getByRole('button', { name: 'Confirm' }).click();

  const question = page.getByRole('dialog', { name: 'Allow this many addresses?' });
  await expect(question.getByText('a very large part of the internet: 0.0.0.0/0.')).toBeVisible();
  await expect(question.getByText('If your key is ever stolen')).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  // Nothing was saved, and the input is kept.
  await expect(list).toHaveValue('203.0.113.7\n0.0.0.0/0');
  await page.reload();
  await expect(list).toHaveValue('');

  await list.fill('203.0.113.7\n0.0.0.0/0');
  await page.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await expect(page.getByText('a very large part of the internet')).toHaveCount(0);
  await page.reload();
  await expect(list).toHaveValue('203.0.113.7\n0.0.0.0/0');

  // A list of a few addresses needs no second confirmation.
  await list.fill('203.0.113.7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await expect(question).toHaveCount(0);
});
