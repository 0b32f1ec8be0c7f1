import { expect, type Page } from '@playwright/test';
import { newMerchant, newUser, operatorAlone, productUrl, signIn, visit } from './people.ts';
import { bind, codeOf } from './second-factor.ts';
import { ShopClient, ShopError } from './shop/shop-client.ts';
import { test } from './story.ts';

/** Reads the key that a card shows with its secret, and hides it. */
async function takeKey(page: Page): Promise<{ id: string; secret: string }> {
  const secret = page.getByText(/^sk_[0-9a-f]{48}$/);
  await expect(secret).toBeVisible();
  const card = page.getByRole('region').filter({ has: secret });
  const id = /ak_[\w-]+/.exec(await card.innerText())?.[0] ?? '';
  const key = { id, secret: (await secret.textContent()) ?? '' };
  await card.getByRole('button', { name: 'Hide' }).click();
  return key;
}

/** Asks for an order that does not exist, or creates one. Returns "created", or the code of the refusal. */
async function ask({ id, secret }: { id: string; secret: string }, method: 'GET' | 'POST'): Promise<string> {
  const client = new ShopClient({ base: productUrl(), key: id, secret });
  const order = { out_trade_no: `key-${Date.now()}`, amount: '1.00', currency: 'CNY' };
  try {
    await (method === 'GET' ? client.find('none') : client.create(order));
    return 'created';
  } catch (error) {
    if (error instanceof ShopError) return error.code;
    throw error;
  }
}

test('a system gets a key of its own that may only read, is given more, replaced, turned off and ended', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const merchant = await newMerchant('keyring');
  await operatorAlone('ip-address', 'set', '--merchant', merchant, '--allow', '127.0.0.1', '--allow', '::1');
  await signIn(page, '/setting/keys', await newUser(merchant));
  await expect(page.getByText('No keys yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Bind', exact: true }).click();
  const { secret: app } = await bind(page);
  await visit(page, '/setting/keys');

  // A key without a name or a scope is not sent.
  await page.getByRole('button', { name: 'Add key' }).click();
  const form = page.getByRole('dialog', { name: 'New access key' });
  await form.getByRole('button', { name: 'Create key' }).click();
  await expect(form.getByText('Please choose at least one scope.')).toBeVisible();
  await form.getByLabel('Name').fill('Reports');
  await form.getByRole('checkbox', { name: /^Read only/ }).check();
  await form.getByLabel('Verification code').fill(codeOf(app));
  await form.getByRole('button', { name: 'Create key' }).click();
  const reports = await takeKey(page);
  expect(await ask(reports, 'GET')).toBe('not_found');
  expect(await ask(reports, 'POST')).toBe('key_scope');
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('button', { name: 'Change', exact: true }).waitFor();
      return page.getByText('GET /openapi/v1/collections').count();
    })
    .toBe(1);

  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Change the key Reports' });
  await edit.getByRole('checkbox', { name: /^Collections/ }).check();
  await edit.getByLabel('Verification code').fill(codeOf(app, 1));
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Collections, Read only')).toBeVisible();
  expect(await ask(reports, 'POST')).toBe('created');

  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Off', { exact: true })).toBeVisible();
  expect(await ask(reports, 'GET')).toBe('key_disabled');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  expect(await ask(reports, 'GET')).toBe('not_found');

  await page.getByRole('button', { name: 'Revoke now' }).click();
  const end = page.getByRole('dialog', { name: 'Revoke the key Reports?' });
  await end.getByRole('button', { name: 'Revoke now' }).click();
  await expect(page.getByRole('heading', { name: 'Ended in the past 90 days' })).toBeVisible();
  expect(await ask(reports, 'GET')).toBe('signature_invalid');
});
