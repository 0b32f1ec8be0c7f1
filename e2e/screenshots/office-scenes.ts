import { expect, type Page } from '@playwright/test';
import { contradictedPayout, movementsOf } from '../database.sql.ts';
import { backOfficeUrl, operator } from '../people.ts';
import { openFirstRow } from './rows.ts';
import type { Scene } from './scene.ts';

/** A call of the back office, with a file or JSON as its body, or with none. */
interface OfficeCall {
  method: 'PUT' | 'POST';
  path: string;
  body?: string;
  type?: string;
}

/** Makes a call as the person whose page it is. Something that an earlier scene has done already may be refused. */
async function callFrom(page: Page, call: OfficeCall): Promise<void> {
  const status = await page.evaluate(async ({ method, path, body, type = 'application/json' }) => {
    const [, token = ''] = /STAFF-XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? [];
    const headers = { 'x-xsrf-token': decodeURIComponent(token) };
    const sent = body === undefined ? { headers } : { body, headers: { ...headers, 'content-type': type } };
    return (await fetch(path, { method, ...sent })).status;
  }, call);
  expect(status < 300 || status === 409, `${call.path} replies ${status}`).toBe(true);
}

/** How statements of the scenes are read. */
const mapping = {
  zone: 'Asia/Shanghai',
  dayEnds: '00:00',
  csv: {
    delimiter: 'semicolon',
    encoding: 'utf-8',
    headingRow: 1,
    decimalMark: 'point',
    dateOrder: 'ymd',
    amountForm: 'signed',
    reference: 'Order',
    amount: 'Amount',
    date: 'Date',
  },
} as const;

/** A day of the bank, so many days ago. */
function bankDay(daysAgo: number): string {
  const at = new Date(Date.now() - daysAgo * 86_400_000);
  return new Intl.DateTimeFormat('en-CA', { timeZone: mapping.zone }).format(at);
}

/** Writes an amount as statements do. */
const amountOf = (minor: bigint) => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Uploads the statement of a day, and shows it. With `isWrong`, two movements differ. */
async function uploadDay(page: Page, daysAgo: number, isWrong: boolean): Promise<void> {
  const day = bankDay(daysAgo);
  const [first, second, ...others] = await movementsOf('CN_BANK', day);
  if (!first || !second) throw new Error(`nothing moved on ${day}`);
  const lines = isWrong
    ? [{ ...second, minor: second.minor + 1n }, { reference: 'FEE-2026', minor: -1200n }, ...others]
    : [first, second, ...others];
  const rows = lines.map(({ reference, minor }) => `${day};${reference};${amountOf(minor)}`);
  const path = '/api/staff/reconciliation';
  await callFrom(page, {
    method: 'PUT',
    path: `${path}/mappings/CN_BANK`,
    body: JSON.stringify(mapping),
  });
  await callFrom(page, {
    method: 'POST',
    path: `${path}/days/CN_BANK/${day}/statement?format=csv&name=statement.csv`,
    body: ['Date;Order;Amount', ...rows, ''].join('\n'),
    type: 'application/octet-stream',
  });
  await page.goto(`${backOfficeUrl()}/reconciliation?channel=CN_BANK&day=${day}`);
  await page.locator('main dl').first().waitFor();
}

async function closeDay(page: Page): Promise<void> {
  await uploadDay(page, 2, false);
  const path = `/api/staff/reconciliation/days/CN_BANK/${bankDay(2)}/close`;
  await callFrom(page, { method: 'POST', path });
  await page.reload();
  await page.locator('main dl').first().waitFor();
}

let asked: Promise<unknown> | undefined;

/** Has operators ask for what a second person decides, once. */
async function askAll(): Promise<string> {
  asked ??= (async () => {
    await operator('limits', 'set', '--merchant', 'demo', '--payout', '50000', '--reason', 'New contract');
    await operator('terms', 'set', '--merchant', 'demo', '--channel', 'CN_BANK', '--collection-rate', '0.7%');
    await operator('access-key', 'add', '--merchant', 'demo', '--name', 'Reports', '--scope', 'read');
    const roles = ['--role', 'REVIEWER', '--role', 'FINANCE'];
    await operator('staff', 'roles', '--email', 'second@hengfu.test', ...roles);
    const cycle = ['--cycle', 'weekly', '--weekday', 'friday', '--cut-off', '18:30'];
    await operator('settlement-cycle', 'set', '--merchant', 'demo', ...cycle);
  })();
  await asked;
  return '/requests';
}

/** Opens the request that was asked for first, which changes limits. */
const openLastRequest = (page: Page) =>
  page.locator('main tbody tr').last().locator('button').first().click();

/** Begins to see the merchant's pages, if that is not done yet, and opens the first row. */
async function lookAtFirst(page: Page): Promise<void> {
  const reason = page.locator('[name=reason]');
  if (await reason.isVisible()) {
    await reason.fill('A payment is missing');
    await page.locator('main form [type=submit]').click();
  }
  await page.locator('main nav a').first().waitFor();
  await openFirstRow(page);
}

const settleContradiction = (page: Page) =>
  page.locator('[role=dialog] form').first().scrollIntoViewIfNeeded();

/** The pages of the back office, and what opens above them. */
export const officeScenes: readonly Omit<Scene, 'isOffice'>[] = [
  { name: 'office-sign-in', path: '/', isOpen: true },
  { name: 'office-today', path: '/' },
  { name: 'office-topups', path: '/topups' },
  { name: 'office-withdrawals', path: '/withdrawals' },
  { name: 'office-requests', path: askAll },
  { name: 'office-request', path: askAll, act: openLastRequest },
  { name: 'office-merchants', path: '/merchants' },
  { name: 'office-merchant', path: '/merchants/demo' },
  { name: 'office-people', path: '/merchants/demo?part=people' },
  { name: 'office-terms', path: '/merchants/demo?part=terms' },
  { name: 'office-look', path: '/merchants/demo/view/collections', act: lookAtFirst },
  { name: 'office-orders', path: '/orders' },
  { name: 'office-order', path: '/orders?kind=payout', act: openFirstRow },
  { name: 'office-search', path: async () => `/orders?search=${await contradictedPayout()}` },
  {
    name: 'office-contradiction',
    path: async () => `/orders?open=${await contradictedPayout()}`,
    act: settleContradiction,
  },
  {
    name: 'office-upload',
    path: '/reconciliation',
    act: (page) => page.locator('main header button').last().click(),
  },
  { name: 'office-day', path: '/reconciliation', act: (page) => uploadDay(page, 1, true) },
  { name: 'office-closed-day', path: '/reconciliation', act: closeDay },
  { name: 'office-reconciliation', path: '/reconciliation' },
  { name: 'office-health', path: '/service' },
  { name: 'office-channels', path: '/service/channels' },
  { name: 'office-incidents', path: '/service/incidents' },
  { name: 'office-rates', path: '/service/rates' },
  { name: 'office-audit', path: '/service/audit' },
  { name: 'office-accounts', path: '/service/accounts' },
  { name: 'office-account', path: '/account' },
];
