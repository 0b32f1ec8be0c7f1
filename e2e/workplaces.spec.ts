import { expect, type Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { openHeld } from './live-stream.ts';
import { newMerchant, newUser, open, operator, operatorAlone, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

// Sorts last, so its stories are shared out among the workers.
test.describe.configure({ mode: 'parallel' });

const tags = (page: Page) => page.getByRole('navigation', { name: 'Open pages' }).getByRole('link');
const merchantMenu = (page: Page, name: string) => page.getByRole('button', { name: `Merchant: ${name}` });
const notice = (page: Page) =>
  page.getByRole('heading', { name: 'You have switched to another merchant', exact: true });

/** A person of one merchant, and the path of an invitation to another one. */
async function invitedPerson() {
  const stamp = Date.now();
  const names = { north: `North ${stamp}`, south: `South ${stamp}` };
  const north = await newMerchant('north', { name: names.north });
  const south = await newMerchant('south', { name: names.south });
  const person = await newUser(north, { role: 'ROOT' });
  const invited = ['--merchant', south, '--email', person.email, '--role', 'ROOT'];
  const { url } = await operatorAlone('user', 'invite', ...invited);
  return { ...names, code: { north, south }, person, path: new URL(String(url)).pathname };
}

test('one person, two merchants, two tabs: joins a second one, switches, and no tab acts for the wrong one', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const { north, south, code, person, path } = await invitedPerson();
  await signIn(page, '/dashboard', person);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(merchantMenu(page, north)).toHaveCount(0);

  await open(page, path);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Join the team' }).click();
  await expect(page.getByText(`You are now a member of ${south}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Go to dashboard' }).click();
  await expect(merchantMenu(page, north)).toBeVisible();

  await page.goto(`${productUrl()}/collection/payments?trade_no=C1`);
  await expect(tags(page)).toHaveCount(2);
  const follower = await context.newPage();
  await follower.goto(`${productUrl()}/fund/fundWater`);
  await expect(merchantMenu(follower, north)).toBeVisible();
  // The stream of this tab does not get through: its next call finds out.
  const deaf = await context.newPage();
  await deaf.route('**/api/merchant/events**', (route) => route.abort());
  await deaf.goto(`${productUrl()}/behalfPay/apply`);
  await expect(merchantMenu(deaf, north)).toBeVisible();

  // By keyboard alone.
  await merchantMenu(page, north).focus();
  await page.keyboard.press('ArrowDown');
  const entries = page.getByRole('menuitemradio');
  await expect(entries.filter({ hasText: north })).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(merchantMenu(page, south)).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(tags(page)).toHaveCount(1);

  await expect(notice(follower)).toBeVisible();
  await expect(follower.getByText(`This tab was opened for ${north}.`)).toBeVisible();
  await expect(follower.getByRole('navigation')).toHaveCount(0);
  expect(await violationsOf(follower)).toEqual([]);

  const token = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token), 'X-Merchant': code.north };
  const paid = await context.request.post(`${productUrl()}/api/merchant/payouts`, { headers, data: {} });
  expect([paid.status(), (await paid.json()).code]).toEqual([409, 'merchant_switched']);
  // If nothing of its own has told it yet, its next call does.
  if (!(await notice(deaf).isVisible())) {
    await deaf.keyboard.press('g');
    await deaf.keyboard.press('s');
  }
  await expect(notice(deaf)).toBeVisible({ timeout: 45_000 });

  await follower.getByRole('button', { name: 'Reload' }).click();
  await expect(merchantMenu(follower, south)).toBeVisible();
  await deaf.close();
  await follower.close();

  // Back at the first one, its open pages are there again.
  await merchantMenu(page, south).click();
  await entries.filter({ hasText: north }).click();
  await expect(merchantMenu(page, north)).toBeVisible();
  await expect(tags(page)).toHaveCount(2);
});

test('after sign-in, the person chooses; the last used merchant comes first and opens the address asked for', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const { north, south, person, path } = await invitedPerson();
  await open(page, path);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Join the team' }).click();
  await expect(merchantMenu(page, south)).toBeVisible();

  const signOut = async () => {
    await page.getByRole('button', { name: /^Account menu for/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login/);
  };
  await signOut();
  await signIn(page, '/fund/fundWater', person);
  await expect(page.getByRole('heading', { name: 'Choose a merchant' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  // A reload stays at the choice.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Choose a merchant' })).toBeVisible();
  await page.getByRole('button', { name: south }).click();
  await expect(merchantMenu(page, south)).toBeVisible();

  await signOut();
  await signIn(page, '/fund/fundWater', person);
  await page.setViewportSize({ width: 390, height: 844 });
  const choices = page.getByRole('main').getByRole('listitem');
  await expect(choices.first()).toContainText(south);
  await expect(choices.first()).toContainText('Last used');
  await choices.first().getByRole('button').click();
  await expect(page).toHaveURL(/\/fund\/fundWater/);
  await merchantMenu(page, south).click();
  await page.getByRole('menuitemradio', { name: north }).click();
  await expect(merchantMenu(page, north)).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a merchant that requires a second factor opens nothing before one is bound, and the way back is open', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const { north, south, code, person, path } = await invitedPerson();
  await signIn(page, '/dashboard', person);
  await open(page, path);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Join the team' }).click();
  await page.getByRole('button', { name: 'Go to dashboard' }).click();
  await operator('merchant', 'two-factor', 'required', '--merchant', code.south);
  await merchantMenu(page, north).click();
  await page.getByRole('menuitemradio', { name: south }).click();
  await expect(page).toHaveURL(/\/authentication/);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Choose another merchant' }).click();
  await page.getByRole('button', { name: north }).click();
  await expect(merchantMenu(page, north)).toBeVisible();
});

test('signing in again in place goes on for the merchant of the page, whichever was used last', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const { north, south, person, path } = await invitedPerson();
  await signIn(page, '/dashboard', person);
  await open(page, path);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Join the team' }).click();
  await page.getByRole('button', { name: 'Go to dashboard' }).click();
  await expect(merchantMenu(page, north)).toBeVisible();
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, '/', person);
  await elsewhere.getByRole('button', { name: south }).click();
  await expect(merchantMenu(elsewhere, south)).toBeVisible();
  await elsewhere.context().close();

  await openHeld(page, () => page.goto(`${productUrl()}/setting/personalData`));
  await page.getByLabel('Name').fill('Half filled');
  await operator('user', 'sign-out', '--email', person.email);
  const dialog = page.getByRole('dialog', { name: /please log in again/ });
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Modified successfully')).toBeVisible();
  await expect(merchantMenu(page, north)).toBeVisible();
});
