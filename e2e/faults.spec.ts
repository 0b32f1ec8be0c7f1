import { expect, type Page } from '@playwright/test';
import { Cable } from './cable.ts';
import { choose } from './controls.ts';
import { sql, withoutDatabase, withoutTable } from './database.sql.ts';
import { runUntil, stopClock } from './page-clock.ts';
import { demo, newUser, operator, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

/** The alert with one button that reports a failed call. */
const alertOf = (page: Page, text: string) =>
  page.locator('[role="alertdialog"]').filter({ visible: true, hasText: text });
const toastOf = (page: Page, text: string) => page.locator('[data-kind="toast"]').filter({ hasText: text });

/** Expects one alert with one button, and closes it. */
async function dismissAlert(page: Page, text: string): Promise<void> {
  const alert = alertOf(page, text);
  await expect(alert).toHaveCount(1);
  await expect(alert.getByRole('button')).toHaveText(['Got it']);
  await alert.getByRole('button').click();
  await expect(alert).toHaveCount(0);
}

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();

/** Whether an address is that of the event stream. */
const isStream = ({ pathname }: URL) => pathname === '/api/merchant/events';

test('401: after the browser lost its cookies, signing in again in place submits the half-filled payout', async ({
  page,
}) => {
  // The page's own calls must not notice before the payout does.
  await page.route(isStream, () => undefined);
  const notices = page.waitForResponse('**/api/merchant/notices');
  await signIn(page, '/behalfPay/apply');
  await notices;
  await page.getByLabel('Payee', { exact: true }).fill('许文静');
  await page.getByLabel('Receiving account').fill('9876 5432 9001');
  await choose(page, 'Bank', 'Industrial and Commercial Bank of China');
  await page.getByLabel('Bank name').fill('中国工商银行');
  await page.getByLabel('Payment amount (CNY)').fill((401 + (Date.now() % 90_000) / 100).toFixed(2));
  await page.getByRole('button', { name: 'Continue' }).click();
  const confirm = page.getByRole('dialog', { name: 'Send this payment?' });
  await confirm.getByLabel('Payment password').fill('888888');
  await page.context().clearCookies({ name: 'hengfu_session' });
  await page.context().clearCookies({ name: 'XSRF-TOKEN' });
  await confirm.getByRole('button', { name: 'Send', exact: true }).click();
  const again = page.getByRole('dialog', { name: 'The current page is invalid, please log in again' });
  await expect(again).toHaveCount(1);
  await again.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Application successful')).toBeVisible();
  await expect(page.getByText(/is in progress/)).toBeVisible();
});

test('401: after staff ended the session, failed calls open one dialog, and leaving leads to the sign-in page and back', async ({
  page,
}) => {
  const user = await newUser();
  // The page's own calls must not notice the ended session before the test acts: the event stream gets no
  // reply, and the notices have already been fetched.
  await page.route(isStream, () => undefined);
  const notices = page.waitForResponse('**/api/merchant/notices');
  await signIn(page, '/dashboard', user);
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await notices;
  await operator('user', 'sign-out', '--email', user.email);
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await menu.getByRole('button', { name: 'Receive money' }).click();
  await menu.getByRole('link', { name: 'Settlements' }).click();
  const again = page.getByRole('dialog', { name: 'The current page is invalid, please log in again' });
  await expect(again).toHaveCount(1);
  await again.getByRole('button', { name: 'Go to the sign-in page' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=\/collection\/Settlements$/);
  await expect(page.locator('.bprogress')).toHaveCount(0);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Settlements' })).toBeVisible();
});

test('403: a permission revoked under an open page leads to /403, with one alert', async ({ page }) => {
  const user = await newUser();
  await signIn(page, '/setting/interfaceKey', user);
  await expect(page.getByRole('heading', { name: 'Access key', level: 1 })).toBeVisible();
  await sql(`update membership set roles = '{MERCHANT_VIEWER}'
    where user_id = (select id from app_user where email = '${user.email}')`);
  await page.getByLabel('Note').fill('Mine');
  await save(page);
  await expect(page).toHaveURL(/\/403$/);
  await dismissAlert(page, 'Forbidden. Please contact our support team');
  await expect(page.getByRole('heading', { name: 'No permission' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click();
  await expect(page).toHaveURL(/\/contactUs$/);
});

test('419: the XSRF token of another session causes an alert, and the page works after a refresh', async ({
  page,
}) => {
  await signIn(page, '/setting/personalData');
  await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'false', url: productUrl() }]);
  await save(page);
  await dismissAlert(page, 'The page has expired, please refresh and try again');
  await page.reload();
  await save(page);
  await expect(toastOf(page, 'Modified successfully')).toBeVisible();
});

test('422: the server’s message appears at its field, or in an alert if no field can show it', async ({
  page,
}) => {
  const [one, other] = [await newUser(), await newUser()];
  await signIn(page, '/setting/personalData', one);
  // The sign-in form also has a field of that name, and stays until the page has loaded.
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
  await page.getByLabel('Email').fill(other.email);
  await save(page);
  const gate = page.getByRole('dialog', { name: 'Confirm your login password' });
  await gate.getByLabel('Login password').fill(one.password);
  await gate.getByRole('button', { name: 'Confirm' }).click();
  const field = page.getByLabel('Email');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The time zone of an export is not a field that could show the message.
  await page.goto(`${productUrl()}/fund/dailyReport`);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export this list' });
  await dialog.locator('input[name=zone]').evaluate((input: HTMLInputElement) => (input.value = 'Nowhere'));
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dismissAlert(page, 'Please select one of the available options.');
  await expect(dialog).toBeVisible();
});

test('500: a server error appears in an alert, or in place of the data', async ({ page }) => {
  await signIn(page, '/collection/payments');
  const box = page.getByRole('dialog', { name: 'Views' });
  await withoutTable('saved_view', async () => {
    await page.getByRole('button', { name: 'Views' }).click();
    await expect(box.getByRole('alert')).toContainText('The data could not be loaded. Server Error');
    await box.getByLabel('View name').fill('Lost');
    await box.getByRole('button', { name: 'Save this view' }).click();
    await dismissAlert(page, 'Server Error');
  });
  await withoutTable('contact_way', async () => {
    await page.goto(`${productUrl()}/contactUs`);
    const failure = page.getByRole('alert').filter({ hasText: 'The data could not be loaded.' });
    await expect(failure).toContainText('Server Error');
    await expect(failure).toContainText('Request ID (for support)');
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The data could not be loaded.')).toHaveCount(0);
});

test('503: without the database the rows stay, the page says so, and recovers by itself', async ({
  page,
}) => {
  await signIn(page, '/collection/payments');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await withoutDatabase(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    const unavailable = 'The service is temporarily unavailable. Please try again in a moment.';
    await expect(page.getByRole('alert').filter({ hasText: unavailable })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Data is temporarily unavailable' })).toBeVisible();
  });
  await expect(page.getByRole('row').nth(1)).toBeVisible({ timeout: 20_000 });
});

test('no network: the page says that live updates have stopped, and resumes them', async ({ page }) => {
  const followed = page.waitForResponse((response) => isStream(new URL(response.url())));
  await signIn(page, '/behalfPay/transfers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  // A stream that is still being opened could get through after the network is cut.
  await followed;
  await page.context().setOffline(true);
  const banner = page.getByRole('status').filter({ hasText: 'Connection lost, reconnecting…' });
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  const message = 'The server cannot be reached. Please check your connection and try again.';
  await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
  await page.context().setOffline(false);
  await expect(banner).toHaveCount(0, { timeout: 20_000 });
  await expect(page.getByRole('alert').filter({ hasText: message })).toHaveCount(0);
});

test('no server: the form keeps its input, shows an error, and is sent when the server is back', async ({
  page,
}) => {
  const cable = await Cable.start();
  const user = await newUser();
  await signIn(page, '/setting/personalData', user, cable.url);
  await page.getByLabel('Name').fill('Kept');
  await cable.cut();
  await save(page);
  await expect(page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })).toBeVisible();
  await expect(page.getByText('Connection lost, reconnecting…')).toBeVisible();
  await cable.restore();
  await expect(page.getByText('Connection lost, reconnecting…')).toHaveCount(0, { timeout: 40_000 });
  await expect(page.getByLabel('Name')).toHaveValue('Kept');
  await save(page);
  await expect(page.getByRole('button', { name: 'Account menu for Kept' })).toBeVisible();
  await cable.cut();
});

test('a silent event stream is detected and reopened', async ({ page }) => {
  const cable = await Cable.start();
  await page.clock.install();
  const followed = page.waitForResponse((response) => isStream(new URL(response.url())));
  await signIn(page, '/behalfPay/transfers', demo, cable.url);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await followed;
  const banner = page.getByRole('status').filter({ hasText: 'Connection lost, reconnecting…' });
  const streams: string[] = [];
  page.on('request', (request) => {
    if (isStream(new URL(request.url()))) streams.push(request.url());
  });
  cable.stall();
  await page.clock.fastForward('00:30');
  expect(streams).toEqual([]);
  await page.clock.fastForward('00:20');
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  await expect(banner).toHaveCount(0);
  await cable.cut();
});

/** Whether the browser remembers that a module could not be fetched, and does not ask for it again. */
async function remembersFailures(page: Page): Promise<boolean> {
  let requests = 0;
  await page.route('**/assets/absent.js', (route) => {
    requests++;
    return route.fulfill({ status: 404 });
  });
  const load = () => page.evaluate(() => import('/assets/absent.js' as string).catch(() => undefined));
  await load();
  await load();
  return requests === 1;
}

/** Opens a page whose code a release has replaced, and waits for the reload that does not help. */
async function openMissingPage(page: Page): Promise<{ loads: () => number }> {
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await page.route('**/assets/contact-page-*.js', (route) => route.fulfill({ status: 404 }));
  let loads = 0;
  page.on('load', () => loads++);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('contact us');
  await page.keyboard.press('Enter');
  await expect.poll(() => loads).toBe(1);
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await expect(page).toHaveURL(/contactUs$/);
  return { loads: () => loads };
}

/** Presses until the page is there. It may not have dealt with an earlier press yet: then a person would press again. */
async function recover(page: Page): Promise<void> {
  await page.unrouteAll();
  await expect(async () => {
    await page.getByRole('button', { name: 'Try again' }).click({ timeout: 1000 });
    await expect(page.getByRole('heading', { name: 'Contact Us', exact: true })).toBeVisible({
      timeout: 2000,
    });
  }).toPass();
}

test('a chunk that is gone after a release causes one reload, then an error page that recovers', async ({
  page,
}) => {
  await signIn(page, '/dashboard');
  const remembers = await remembersFailures(page);
  const { loads } = await openMissingPage(page);
  const refused = page.waitForResponse((reply) => reply.url().includes('/assets/contact-page-'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await refused;
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await recover(page);
  if (!remembers) expect(loads()).toBe(1);
});

test('in a browser that does not ask again for a chunk that was gone, the error page recovers by a reload', async ({
  page,
}) => {
  // The console learns by these reports whether the browser has asked.
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await signIn(page, '/dashboard');
  const remembers = await remembersFailures(page);
  const { loads } = await openMissingPage(page);
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Try again' }).click();
  await reloaded;
  expect(loads()).toBe(2);
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await recover(page);
  // A page that was found is not reloaded.
  await page.waitForTimeout(500);
  if (!remembers) expect(loads()).toBe(2);
});

test('user info fails: the session ends between signing in and the first page', async ({ page }) => {
  const user = await newUser();
  await page.route('**/api/merchant/user', async (route) => {
    await sql(`delete from session where user_id = (select id from app_user where email = '${user.email}')`);
    await route.continue();
  });
  await page.goto(`${productUrl()}/login`);
  await page.evaluate(() => localStorage.setItem('language', 'en'));
  await page.goto(`${productUrl()}/login?redirect=/lineExport`);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Verification failed, please Login again.')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await page.unrouteAll();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/lineExport$/);
});

test('route access denied: shows a toast for three seconds, 16 px from the top, and leads to /403', async ({
  page,
}) => {
  await page.clock.install();
  await signIn(page, '/dashboard', { email: 'viewer@hengfu.test', password: demo.password });
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await stopClock(page);
  await page.goto(`${productUrl()}/behalfPay/apply`);
  const toast = toastOf(page, "Sorry, you don't have permission to go to this page");
  await runUntil(page, () => toast.isVisible());
  await expect(page).toHaveURL(/\/403$/);
  await page.clock.runFor(2700);
  await expect.poll(async () => Math.round((await toast.boundingBox())?.y ?? 0)).toBe(16);
  await runUntil(page, async () => (await toast.count()) === 0, 3000);
});
