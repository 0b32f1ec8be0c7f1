import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { sql } from './database.sql.ts';
import {
  newMerchant,
  newUser,
  open,
  operator,
  password,
  productUrl,
  signIn,
  signOut,
  visit,
} from './people.ts';
import { bind, codeOf } from './second-factor.ts';
import { test } from './story.ts';

/** Enters email and password, and waits for the challenge. */
async function firstStep(page: Page, email: string): Promise<void> {
  await open(page, '/login?redirect=/setting/accountSecurity');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Verification code')).toBeFocused();
}

test('a second factor is bound, required at sign-in, and turned off', async ({ page }) => {
  const user = await newUser();
  await signIn(page, '/setting/accountSecurity', user);
  const { secret, codes } = await bind(page);
  // On paper there is nothing but the codes.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-asked-to-print', '');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-asked-to-print');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(codes[0] ?? '')).toBeVisible();
  await expect(page.getByText(user.email).last()).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Security', exact: true })).toHaveCount(0);
  await page.emulateMedia({ media: null });

  await signOut(page);
  await firstStep(page, user.email);
  await page.getByLabel('Verification code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is incorrect or has already been used.')).toBeVisible();
  await page.getByLabel('Verification code').fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeVisible();

  await signOut(page);
  // The reply with the account's factors is late: the method chosen by then stays.
  const known = page.waitForResponse('**/api/two-factor-challenge/options');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/two-factor-challenge/options', async (route) => {
    await held;
    await route.continue();
  });
  await firstStep(page, user.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  answer();
  await (await known).finished();
  await expect(page.getByLabel('Recovery code')).toHaveValue(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Turn off' }).click();
  const warning = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' });
  await expect(warning.getByText('We are not liable for any resulting losses')).toBeVisible();
  await warning.getByRole('button', { name: 'Turn off' }).click();
  const gate = page.getByRole('dialog', { name: 'Confirm your login password' });
  await gate.getByLabel('Login password').fill(password);
  await gate.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Two factor authentication has been turned off')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Bind', exact: true })).toBeFocused();
});

test('cancelling the password confirmation changes nothing', async ({ page }) => {
  await signIn(page, '/setting/accountSecurity', await newUser());
  await page.getByRole('button', { name: 'Bind', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Confirm your login password' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Bind', exact: true })).toBeVisible();
});

test('a user who must have a second factor binds it before anything else opens', async ({ page }) => {
  const merchant = await newMerchant('strict');
  await operator('merchant', 'two-factor', 'required', '--merchant', merchant);
  const user = await newUser(merchant);
  await signIn(page, '/collection/payments', user);
  await expect(page).toHaveURL(/\/authentication\?redirect=/);
  // The page has a language switch, and a way out for those who have no authenticator app at hand.
  await page.getByLabel('Language').selectOption('Tiếng Việt');
  await page.getByRole('button', { name: 'Đăng xuất' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto(`${productUrl()}/collection/payments`);
  await expect(page).toHaveURL(/\/login/);
  await page.getByLabel('Ngôn ngữ').selectOption('English');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const secret = (await page.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()) ?? '';
  await page.getByLabel('Verification code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('Please enter the enrollment code.')).toBeVisible();
  await page.getByLabel('Enrollment code').fill(user.enrolmentCode.toLowerCase());
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('listitem')).toHaveCount(8);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const codes = await page.getByRole('listitem').allTextContents();
  expect(await readFile(await file.path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
  await page.getByRole('button', { name: 'I’ve saved the codes' }).click();
  await expect(page).toHaveURL(/\/collection\/payments$/);
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible();
});

test('a first factor is bound with the enrollment code of another merchant, which is suspended', async ({
  page,
}) => {
  const [lax, strict] = [await newMerchant('lax'), await newMerchant('stopped')];
  await operator('merchant', 'two-factor', 'required', '--merchant', strict);
  const user = await newUser(strict);
  await sql(`insert into membership (merchant_id, user_id, roles) select m.id, u.id, '{MERCHANT_ADMIN}'
    from merchant m, app_user u where m.code = '${lax}' and u.email = '${user.email}'`);
  await operator('merchant', 'suspend', '--merchant', strict, '--reason', 'a story');
  await signIn(page, '/setting/accountSecurity', user);
  await page.getByRole('button', { name: 'Bind', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your login password' });
  await dialog.getByLabel('Login password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Bind an authenticator app first, with your enrollment code.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  const secret = (await page.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()) ?? '';
  await page.getByLabel('Verification code').fill(codeOf(secret));
  await page.getByLabel('Enrollment code').fill(user.enrolmentCode);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I’ve saved the codes' }).click();
  await expect(page.getByText('Two factor authentication enabled')).toBeVisible();
});

test('name and password are changed, and other devices are signed out', async ({ page, browser }) => {
  const user = await newUser();
  await signIn(page, '/setting/personalData', user);
  await page.getByLabel('Name').fill('Nguyễn An');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await expect(page.getByRole('button', { name: /Nguyễn An/ })).toBeVisible();

  const otherDevice = await (await browser.newContext()).newPage();
  await signIn(otherDevice, '/setting/accountSecurity', user);
  await page.goto(`${new URL(page.url()).origin}/setting/accountSecurity`);
  await expect(page.getByRole('button', { name: 'Sign out of all other devices' })).toBeVisible();
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password', { exact: true }).fill('Password123');
  await page.getByLabel('Confirm new password').fill('Password123');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This password is too common.')).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('Other-pass-2026');
  await page.getByLabel('Confirm new password').fill('Other-pass-2026');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('You are signed in on this device only.')).toBeVisible();
  await expect(page.getByText('Login password changed')).toBeVisible();
  await otherDevice.reload();
  await expect(otherDevice).toHaveURL(/\/login/);
  await otherDevice.context().close();
});

test('the payment password is set, and changing it requires the current one', async ({ page }) => {
  await signIn(page, '/setting/paymentPassword', await newUser());
  await page.getByLabel('New payment password', { exact: true }).fill('12345');
  await page.getByLabel('Confirm new payment password').fill('12345');
  await page.getByRole('button', { name: 'Set payment password' }).click();
  await expect(page.getByText('cannot be less than 6 digits')).toBeVisible();
  await page.getByLabel('New payment password', { exact: true }).fill('888888');
  await page.getByLabel('Confirm new payment password').fill('888888');
  await page.getByRole('button', { name: 'Set payment password' }).click();
  const gate = page.getByRole('dialog', { name: 'Confirm your login password' });
  await gate.getByLabel('Login password').fill(password);
  await gate.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await page.getByLabel('Current payment password').fill('777777');
  await page.getByLabel('New payment password', { exact: true }).fill('999999');
  await page.getByLabel('Confirm new payment password').fill('999999');
  await page.getByRole('button', { name: 'Change payment password' }).click();
  await expect(page.getByText('Incorrect password.')).toBeVisible();
});

/** Fills in the dialog for a merchant's first key, which does not speak of an old one. */
async function createFirstKey(page: Page, app: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Create the first access key' });
  await expect(dialog.getByText(/[Oo]ld key/)).toHaveCount(0);
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  await dialog.getByLabel('Verification code').fill(codeOf(app));
  await dialog.getByRole('button', { name: 'Create key' }).click();
}

test('the access key is created, revealed for a minute, and disabled', async ({ page }) => {
  const merchant = await newMerchant('keys');
  await signIn(page, '/setting/interfaceKey', await newUser(merchant));
  await expect(page.getByText('No key yet.')).toBeVisible();
  // Without a second factor the page says so, and links to where one is bound.
  await expect(page.getByText('Please bind and enable two-factor authentication first')).toBeVisible();
  await page.getByRole('link', { name: 'Bind', exact: true }).click();
  const { secret: app } = await bind(page);
  await visit(page, '/setting/interfaceKey');
  await page.getByRole('button', { name: 'Create key' }).click();
  await createFirstKey(page, app);
  await expect(page.getByText('Key created')).toBeVisible();
  await expect(page.getByText('Your first key is ready.')).toBeVisible();
  const secret = page.getByText(/^sk_[0-9a-f]{48}$/);
  await expect(secret).toBeVisible();
  const first = await secret.textContent();
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(secret).toHaveCount(0);

  await page.clock.install();
  await page.getByRole('button', { name: 'Reveal' }).click();
  const reveal = page.getByRole('dialog', { name: 'Enter verification code' });
  await reveal.getByRole('button', { name: 'Reveal' }).click();
  await expect(reveal.getByText('Please enter the Google verification code.')).toBeVisible();
  await reveal.getByLabel('Verification code').fill(codeOf(app, 1));
  await reveal.getByRole('button', { name: 'Reveal' }).click();
  await expect(secret).toHaveText(first ?? '');
  await page.clock.fastForward(61_000);
  await expect(secret).toHaveCount(0);

  await page.getByLabel('Enable this key').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
});

test('the IP whitelist reports errors by line, previews its effect, and is saved', async ({ page }) => {
  // The request that waits arrives late. The form must not be drawn anew with it, which would lose what has been typed.
  await page.route('**/api/merchant/access-requests', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  await signIn(page, '/setting/ipAddress');
  const list = page.getByRole('textbox', { name: 'IP whitelist' });
  await expect(list).toHaveValue(/127\.0\.0\.1/);
  const before = await list.inputValue();
  await list.fill('203.0.113.7\nnonsense\n1.2.3');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(page.getByText('Line 2 is not an IP address or a CIDR block: nonsense')).toBeVisible();
  await expect(page.getByText('Line 3 is not an IP address or a CIDR block: 1.2.3')).toBeVisible();
  await list.fill('203.0.113.7');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(page.getByText('Your current address 127.0.0.1 would be blocked.')).toBeVisible();
  await list.fill(`${before}\n203.0.113.0/24`);
  await page.getByRole('button', { name: 'Save' }).click();
  const gate = page.getByRole('dialog', { name: 'Confirm your login password' });
  await gate.getByLabel('Login password').fill('Demo-pass-2026');
  await gate.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await page.reload();
  await expect(list).toHaveValue(/203\.0\.113\.0\/24/);
});
