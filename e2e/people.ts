import type { Page } from '@playwright/test';
import { sql } from './database.sql.ts';
import { runCommand } from './operator.ts';

/** Address of the product under test. */
export const productUrl = (): string => process.env.E2E_URL ?? '';

/** Address of its back office. */
export const backOfficeUrl = (): string => process.env.E2E_STAFF_URL ?? '';

export const demo = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };
export const demoKey = { id: 'ak_demo_hengfu', secret: 'sk_demo_hengfu_2026' };

type Language = 'en' | 'zh-cn' | 'vi';

/** Opens a path of the console in a language, as a user who has chosen it before. */
export async function open(
  page: Page,
  path: string,
  language: Language = 'en',
  site = productUrl(),
  waitUntil: 'load' | 'commit' = 'load',
): Promise<void> {
  await chooseLanguage(page, language, site);
  await page.goto(site + path, { waitUntil });
}

/**
 * Opens another page of the console that is shown, as a link does, and waits until the one before is out of sight. Loading the console anew
 * would take four times as long; that is done if the page is the same. The page before may stay in the document, hidden, and so do toasts: a
 * CSS locator needs `:visible`.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const timeout = 10_000;
  const heading = await page.locator('main h1:visible').first().elementHandle({ timeout });
  const target = new URL(path, page.url());
  if (target.pathname === new URL(page.url()).pathname) {
    await page.goto(target.href);
    return;
  }
  await page.evaluate((address) => history.pushState(null, '', address), path);
  await page.waitForFunction((before) => !before?.isConnected || !before.checkVisibility(), heading, {
    timeout,
  });
}

async function chooseLanguage(page: Page, language: Language, site: string): Promise<void> {
  await page.context().addCookies([{ name: 'language', value: language, url: site }]);
  await page.addInitScript((value) => {
    if (!localStorage.getItem('language')) localStorage.setItem('language', value);
  }, language);
}

/**
 * Signs in by the call that the sign-in page makes, and opens a path. The page itself has stories of its own (session.spec.ts); in all
 * others it would cost a fifth of their processor time.
 */
export async function signIn(page: Page, path = '/', user = demo, site = productUrl()): Promise<void> {
  await chooseLanguage(page, 'en', site);
  const context = page.context();
  await context.request.get(`${site}/api/csrf-cookie`);
  const token = (await context.cookies(site)).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const reply = await context.request.post(`${site}/api/login`, {
    headers: { 'X-XSRF-TOKEN': decodeURIComponent(token) },
    data: { email: user.email, password: user.password },
  });
  if (!reply.ok() || (await reply.json()).two_factor)
    throw new Error(`${user.email} is not signed in: ${reply.status()} ${await reply.text()}`);
  await page.goto(site + path);
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Runs an operator command on the running product, as its staff would. Returns its JSON. */
export function operator(...args: string[]): Promise<Record<string, unknown>> {
  return runCommand(args);
}

/**
 * Runs a command that needs a second person alone. Confirms the alert for everybody of the back office, whose pages other stories look at.
 */
export function operatorAlone(...args: string[]): Promise<Record<string, unknown>> {
  return aloneWithInput('', ...args);
}

async function aloneWithInput(input: string, ...args: string[]): Promise<Record<string, unknown>> {
  const answer = await runCommand([...args, '--break-glass', 'set up for a story'], input);
  await sql(`insert into staff_alert_seen (alert_id, staff_id) select a.id, s.id from staff_alert a, staff_user s
    on conflict do nothing`);
  return answer;
}

/** The login password of users made by {@link newUser}. */
export const password = 'Staff-pass-2026';
let users = 0;

/** Creates a user of a merchant. `enrolmentCode` is empty if the merchant requires no second factor. */
export async function newUser(
  merchant = 'demo',
  { email = `staff${++users}-${Date.now()}@hengfu.test`, name = 'Staff', role = 'MERCHANT_ADMIN' } = {},
): Promise<{ email: string; password: string; enrolmentCode: string }> {
  const options = ['--merchant', merchant, '--email', email, '--name', name, '--role', role];
  const { enrolmentCode = '' } = await aloneWithInput(`${password}\n`, 'user', 'create', ...options);
  return { email, password, enrolmentCode: String(enrolmentCode) };
}

/** Creates a merchant without orders, and returns its code. By default, its name is its code. */
export async function newMerchant(
  prefix: string,
  {
    name,
    currency = 'CNY',
    zone = 'Asia/Shanghai',
  }: { name?: string; currency?: string; zone?: string } = {},
): Promise<string> {
  const code = `${prefix}-${Date.now()}`;
  const place = ['--currency', currency, '--zone', zone];
  await operator('merchant', 'create', '--code', code, '--name', name ?? code, ...place);
  return code;
}

/** Drops the session, as a browser does when it is closed. */
export async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('signedIn'));
}
