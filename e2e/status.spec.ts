import { expect, type Page } from '@playwright/test';
import { ofSecondTheme, violationsOf } from './axe.ts';
import { open, operator, signIn } from './people.ts';
import { test } from './story.ts';

const viewer = { email: 'viewer@hengfu.test', password: 'Demo-pass-2026' };
/**
 * A user in another country, whose page does not depend on what other tests do to the demo merchant's
 * channel.
 */
const foreignUser = { email: 'other@hengfu.test', password: 'Demo-pass-2026' };

/** The overall state, whatever it is: on a busy machine the service may really be slow. */
const overall = (page: Page) =>
  page.getByRole('status').filter({
    hasText:
      /All systems operational|Some services are degraded|Service outage|所有服务正常|部分服务异常|服务发生故障/,
  });
const component = (page: Page, name: string) => page.getByRole('listitem', { name });

test('the status page is linked from Contact us, and shows the state of every component', async ({
  page,
}) => {
  await signIn(page, '/contactUs', foreignUser);
  await page.getByRole('link', { name: 'View status page' }).click();
  await expect(page).toHaveURL(/\/statusPages$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status page');
  await expect(overall(page)).toBeVisible();
  await expect(page.getByText(/Last checked .*Asia\/Ho_Chi_Minh \(UTC\+7\)/)).toBeVisible();
  const database = component(page, 'Database');
  await expect(database).toContainText('Operational');
  await expect(database.getByRole('img')).toHaveAccessibleName(
    // Two days if the run passes midnight.
    /^\d+(\.\d+)?% uptime while monitored \([12] of 90 days monitored\)$/,
  );
  // Processes report their calls every ten seconds.
  await expect(async () => {
    await page.reload();
    await expect(component(page, 'Console and Open API')).toContainText('95% completed within', {
      timeout: 2000,
    });
  }).toPass({ timeout: 40_000 });
  await expect(component(page, 'NAPAS): payouts')).toContainText('Not enough data');
  await expect(page.getByText('China bank')).toHaveCount(0);
  // Other tests make the service fail for real.
  const incidentHistory = page
    .getByText('No incidents in the last 90 days.')
    .or(page.getByRole('heading', { level: 4 }));
  await expect(incidentHistory.first()).toBeVisible();
});

test('the page shows an incident that the operator opens, in the reader’s language, until it is resolved', async ({
  page,
}) => {
  const { id } = await operator(
    'incident',
    'open',
    '--impact',
    'degraded',
    '--component',
    'VN_NAPAS.payout',
    '--title',
    'Payouts are slow',
    '--title-zh-cn',
    '代付延迟',
    '--text',
    'Some banks take longer.',
    '--text-zh-cn',
    '部分银行处理较慢。',
  );
  await operator('incident', 'update', String(id), '--stage', 'identified', '--text', 'A line is down.');
  await signIn(page, '/statusPages', foreignUser);
  await expect(overall(page)).not.toContainText('All systems operational');
  await expect(overall(page)).toContainText(/Affected: .*Payouts are slow/);
  const incident = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 4, name: /Payouts are slow|代付延迟/ }) });
  await expect(incident).toContainText('(NAPAS): payouts: Degraded');
  await expect(incident.getByRole('listitem')).toContainText([/Identified.*A line is down\./, /Some banks/]);

  await page.evaluate(() => localStorage.setItem('language', 'zh-cn'));
  await open(page, '/statusPages', 'zh-cn');
  await expect(page.getByRole('heading', { name: '代付延迟' })).toBeVisible();
  await expect(page.getByText('部分银行处理较慢。')).toBeVisible();

  await operator('incident', 'resolve', String(id), '--text', 'All is well.', '--text-zh-cn', '已恢复。');
  const listed = (await operator('incident', 'list')) as unknown as Record<string, unknown>[];
  expect(listed.find((one) => one.id === id)).toMatchObject({ by: 'operator', updates: 3 });
  await page.reload();
  await expect(page.getByText('已恢复。')).toBeVisible();
  await expect(overall(page)).not.toContainText('代付延迟');
  await expect(page.getByText('已结束').first()).toBeVisible();

  // A merchant in another country does not use that channel.
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await signIn(page, '/statusPages', viewer);
  await expect(page.getByRole('heading', { name: 'Incidents in the last 90 days' })).toBeVisible();
  await expect(page.getByText('Payouts are slow')).toHaveCount(0);
});

test('without a reply the page says so, and recovers by itself', async ({ page }) => {
  await signIn(page, '/statusPages', foreignUser);
  await expect(overall(page)).toBeVisible();
  const body = JSON.stringify({ message: 'Away.', code: 'unavailable', request_id: 'r' });
  const unavailable = { status: 503, contentType: 'application/json', body };
  await page.route('**/api/merchant/status', (route) => route.fulfill(unavailable));
  await page.reload();
  await expect(page.getByText('Payments are paused for a moment')).toBeVisible({ timeout: 20_000 });
  await expect(overall(page)).toHaveCount(0);
  await page.unroute('**/api/merchant/status');
  await expect(overall(page)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText('Payments are paused for a moment')).toHaveCount(0);
});

test('the page for missing permissions links to the status page', async ({ page }) => {
  await signIn(page, '/contactUs', foreignUser);
  await open(page, '/403');
  await page.getByRole('main').getByRole('link', { name: 'Status page' }).click();
  await expect(overall(page)).toBeVisible();
});

test('axe finds no violations in light and dark, on a desktop and on a phone', { tag: '@long' }, async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signIn(page, '/statusPages', foreignUser);
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => localStorage.setItem('theme', value), theme);
    const check = theme === 'light' ? {} : ofSecondTheme;
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.reload();
      await expect(overall(page)).toBeVisible();
      expect([theme, width, await violationsOf(page, check)]).toEqual([theme, width, []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([width, overflow]).toEqual([width, 0]);
    }
  }
});
