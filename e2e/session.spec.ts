import { type Browser, expect, type Page } from '@playwright/test';
import { choose } from './controls.ts';
import { sql } from './database.sql.ts';
import { openHeld } from './live-stream.ts';
import { demo, newUser, open, operator, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

test('a page opened without a session leads to the sign-in page, and from there back', async ({ page }) => {
  await open(page, '/collection/Settlements?status=settled');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${productUrl()}/collection/Settlements?status=settled`);
  await expect(page.getByRole('heading', { name: 'Settlements' })).toBeVisible();
});

test('a redirect to another site is not followed', async ({ page }) => {
  await open(page, '/login?redirect=https://evil.example/');
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${productUrl()}/dashboard`);
});

test('a wrong password shows an error in place', async ({ page }) => {
  await open(page, '/login');
  await page.getByLabel('Email').fill('nobody@hengfu.test');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('These credentials do not match our records.');
  await expect(page.getByText('Forgot your password? Contact our support team.')).toBeVisible();
});

test('the password can be shown', async ({ page }) => {
  await open(page, '/login');
  await page.getByLabel('Password', { exact: true }).fill('secret');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
});

test('signing out ends the session and says so', async ({ page }) => {
  await signIn(page, '/dashboard');
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Login successfully logged out')).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  await expect(page.getByText('please log in again')).toBeHidden();
  await open(page, '/dashboard');
  await expect(page).toHaveURL(/\/login/);
});

for (const [language, title] of [
  ['zh-cn', '登录'],
  ['vi', 'Đăng nhập'],
  ['en', 'Sign in'],
] as const) {
  test(`the sign-in page is shown in ${language}`, async ({ page }) => {
    await open(page, '/login', language);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', /.+/);
  });
}

test('a locked account says for how long, and is unlocked by a code from the support team', async ({
  page,
}) => {
  const user = await newUser();
  await open(page, '/login');
  await page.getByLabel('Email').fill(user.email);
  const submit = page.getByRole('button', { name: 'Sign in', exact: true });
  for (let time = 0; time < 5; time++) {
    await page.getByLabel('Password', { exact: true }).fill(`wrong ${time}`);
    const answered = page.waitForResponse('**/api/login');
    await submit.click();
    await answered;
  }
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Too many attempts. Please try again in');
  await expect(page.getByRole('button', { name: /^Try again in \d+ (seconds?|minutes?)\.$/ })).toBeVisible();
  const { code } = await operator('user', 'unlock-code', '--email', user.email);
  await page.getByRole('button', { name: 'I have an unlock code' }).click();
  await expect(page.getByLabel('Unlock code from our support team')).toBeFocused();
  await page.getByLabel('Unlock code from our support team').fill(String(code));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('times and language follow the profile', async ({ page, browser }) => {
  const user = await newUser();
  await signIn(page, '/setting/personalData', user);
  await choose(page, 'Time zone', 'America/Sao_Paulo');
  await page.getByLabel('Language', { exact: true }).last().selectOption('vi');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Hồ sơ' }).first()).toBeVisible();
  await page.goto(`${productUrl()}/setting/accountSecurity`);
  await expect(page.getByText('UTC−3').first()).toBeVisible();

  // A new browser without a chosen language uses the profile's after signing in, and from then on at once.
  const otherBrowser = await (await browser.newContext()).newPage();
  await otherBrowser.goto(`${productUrl()}/login`);
  await otherBrowser.locator('#email').fill(user.email);
  await otherBrowser.locator('#password').fill(user.password);
  await otherBrowser.keyboard.press('Enter');
  await expect(otherBrowser.getByRole('heading', { name: 'Tổng quan' })).toBeVisible();
  await otherBrowser.reload();
  await expect(otherBrowser.getByRole('heading', { name: 'Tổng quan' })).toBeVisible();
  await otherBrowser.context().close();
});

/** Signs in on the sign-in page, in whichever language it is shown. */
async function submitSignIn(page: Page, user: { email: string; password: string }): Promise<void> {
  await page.locator('#email').fill(user.email);
  await page.locator('#password').fill(user.password);
  await page.keyboard.press('Enter');
}

test('the language of a profile stays on the sign-in page until a reload; the next person reads their own', async ({
  browser,
}) => {
  const [first, next] = [await newUser(), await newUser()];
  await sql(
    `update app_user set language = 'vi' where email = '${first.email}'`,
    `update app_user set language = 'en' where email = '${next.email}'`,
  );
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  // A browser that prefers English, in which nobody has chosen a language.
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await page.goto(`${productUrl()}/login`);
  await expect(heading('登录')).toBeVisible();
  await submitSignIn(page, first);
  await expect(heading('Tổng quan')).toBeVisible();
  await page.getByRole('button', { name: /^Menu tài khoản/ }).click();
  await page.getByRole('menuitem', { name: 'Đăng xuất' }).click();
  await expect(heading('Đăng nhập')).toBeVisible();
  await submitSignIn(page, next);
  await expect(heading('Dashboard')).toBeVisible();
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(heading('Sign in')).toBeVisible();
  await page.reload();
  await expect(heading('登录')).toBeVisible();
  await page.context().close();
});

test('a new email takes the login password and is used to sign in from then on; a new name takes none', async ({
  page,
}) => {
  const user = await newUser();
  await signIn(page, '/setting/personalData', user);
  const saved = page.getByText('Modified successfully');
  await page.getByLabel('Name').fill('Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(saved).toBeVisible();
  await expect(saved).toBeHidden();

  const email = `new-${user.email}`;
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Save' }).click();
  const gate = page.getByRole('dialog', { name: 'Confirm your login password' });
  await gate.getByLabel('Login password').fill(user.password);
  await gate.getByRole('button', { name: 'Confirm' }).click();
  await expect(saved).toBeVisible();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByText('Sign-in email changed')).toBeVisible();
  await page.context().clearCookies();
  await signIn(page, '/setting/personalData', { ...user, email });
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

/** Ends a user's other sessions, as the user would from another browser. */
async function endOthers(browser: Browser): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, '/setting/accountSecurity');
  await page.getByRole('button', { name: 'Sign out of all other devices' }).click();
  const gate = page.getByRole('dialog', { name: 'Confirm your login password' });
  await gate.getByLabel('Login password').fill(demo.password);
  await gate.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('You are signed in on this device only.')).toBeVisible();
  await page.context().close();
}

const ended = 'The current page is invalid, please log in again';

test('an ended session opens one dialog, and signing in again in place submits the half-filled form', async ({
  page,
  browser,
}) => {
  await openHeld(page, () => signIn(page, '/setting/personalData'));
  await page.getByLabel('Name').fill('Half filled');
  await endOthers(browser);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: ended });
  await expect(dialog).toHaveCount(1);
  await expect(dialog.getByLabel('Email')).toHaveValue(demo.email);
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('These credentials do not match our records.')).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Half filled');
  await page.getByLabel('Name').fill('林晓彤');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Account menu for 林晓彤' })).toBeVisible();
});

test('leaving the dialog of an ended session leads to the sign-in page', async ({ page, browser }) => {
  await openHeld(page, () => signIn(page, '/collection/payments'));
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await endOthers(browser);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const dialog = page.getByRole('dialog', { name: ended });
  await dialog.getByRole('button', { name: 'Go to the sign-in page' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Your session has ended, please log in again.')).toBeVisible();
});

test('a page opened while the server cannot tell who is signed in recovers by itself', async ({ page }) => {
  await signIn(page);
  let refusals = 2;
  await page.route('**/dashboard', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    const response = await route.fetch();
    const html = await response.text();
    const withoutUser = html.replace(
      /(<script id="boot"[^>]*>)(.*?)(<\/script>)/,
      (_, before, json, after) => {
        const { user: _user, ...boot } = JSON.parse(json);
        return before + JSON.stringify(boot).replaceAll('<', '\\u003c') + after;
      },
    );
    return route.fulfill({ response, body: withoutUser });
  });
  await page.route('**/api/merchant/user', (route) =>
    refusals-- > 0
      ? route.fulfill({ status: 503, json: { message: 'away', code: 'unavailable' } })
      : route.continue(),
  );
  await page.goto(`${productUrl()}/dashboard`);
  await expect(page.getByRole('heading', { name: 'Data is temporarily unavailable' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Status page' })).toHaveAttribute('href', '/statusPages');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('the dashboard shows its first figures without further calls', async ({ page }) => {
  const chart = page.locator('.uplot canvas').first();
  await signIn(page);
  await expect(chart).toBeVisible();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(`${productUrl()}/dashboard`);
  await expect(chart).toBeVisible();
  expect(requested).not.toContain('/api/merchant/dashboard');
  expect(requested).not.toContain('/api/merchant/account');
});

/** Lists of which demo data have rows. */
const lists = [
  '/approvals',
  '/behalfPay/transfers',
  '/collection/Settlements',
  '/collection/links',
  '/collection/payments',
  '/collection/refunds',
  '/developers/callbacks',
  '/fund/fundWater',
  '/recharge/record',
  '/setting/auditLog',
  '/withdrawal/record',
];

test('a page of a list shows the rows that arrive with it without asking for them', async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page);
  let requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  // A list that takes long is left to the page, and for half a minute to every page.
  for (const path of lists)
    await expect(async () => {
      requested = [];
      await page.goto(productUrl() + path);
      await expect(page.locator('tbody tr').first()).toBeVisible();
      const boot = await page.locator('#boot').textContent();
      const [call, ...others] = Object.keys(JSON.parse(boot ?? '{}').lists);
      expect([path, others.length]).toEqual([path, 0]);
      expect(call).toMatch(/^\/api\/merchant\//);
      expect(requested).not.toContain(call);
    }).toPass({ timeout: 100_000, intervals: [35_000] });
});
