import { expect } from '@playwright/test';
import {
  checkOverlay,
  expectNoViolations,
  SharedSession,
  visit,
  waitUntilLoaded,
  width,
} from './axe-check.ts';
import { menuPages } from './pages.ts';
import { test } from './story.ts';

const pages = [
  ...menuPages,
  '/collection/payments?trade_no=C000000000000000',
  '/behalfPay/apply?mode=batch',
  '/401',
  '/403',
  '/404',
];

/** Lists whose rows open a detail. */
const lists = [
  '/collection/payments',
  '/collection/refunds',
  '/collection/links',
  '/collection/Settlements',
  '/behalfPay/transfers',
  '/recharge/record',
  '/withdrawal/record',
  '/developers/callbacks',
];
const filteredLists = [...lists, '/fund/fundWater', '/lineExport'];

const session = new SharedSession();

test('axe finds no violations on any page, on a desk and on a phone', async ({ browser }) => {
  test.setTimeout(360_000);
  const page = await session.page(browser);
  for (const path of pages) {
    await page.setViewportSize(width.desk);
    await visit(page, path);
    for (const [name, viewport] of Object.entries(width)) {
      await page.setViewportSize(viewport);
      await waitUntilLoaded(page);
      await expectNoViolations(page, `${path}, ${name}`);
    }
  }
  await page.context().close();
});

test('axe finds no violations in the detail of each list', async ({ browser }) => {
  test.setTimeout(240_000);
  const page = await session.page(browser);
  for (const path of lists) {
    await visit(page, path);
    await page.getByRole('row').nth(1).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByText('Loading…')).toHaveCount(0);
    await expectNoViolations(page, `detail of ${path}`);
  }
  await page.context().close();
});

test('axe finds no violations on the card of a payment link', async ({ browser }) => {
  const page = await session.page(browser);
  await visit(page, '/collection/links');
  await page.getByRole('row').nth(1).click();
  await page.getByRole('dialog').locator('a[href*="linkCard"]').click();
  await expect(page.getByRole('article')).toBeVisible();
  await expectNoViolations(page, 'the card of a payment link');
  await page.context().close();
});

test('axe finds no violations in the filters, columns and views of each list', async ({ browser }) => {
  test.setTimeout(240_000);
  const page = await session.page(browser);
  for (const path of filteredLists) {
    await visit(page, path);
    // Only the opened box is checked, and axe takes several times as long with the rows behind it.
    await page.locator('main tbody').evaluateAll((bodies: HTMLElement[]) => {
      for (const body of bodies) body.hidden = true;
    });
    const openers = page.locator('main button[aria-haspopup=dialog]');
    for (const opener of await openers.all()) {
      await opener.click();
      const box = page.getByRole('dialog');
      await expect(box).toBeVisible();
      await expect(box.getByText('Loading…')).toHaveCount(0);
      await expectNoViolations(page, `${path}: ${await opener.innerText()}`, '[role="dialog"]');
      await page.keyboard.press('Escape');
    }
  }
  await page.context().close();
});

test('axe finds no violations in the shell’s menus and dialogs', async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await session.page(browser);
  await visit(page, '/contactUs');
  for (const name of [
    'Display settings',
    /^Notifications/,
    /^Search/,
    'Language',
    /^Size/,
    /^Account menu/,
  ] as const)
    await checkOverlay(page, String(name), () => page.getByRole('button', { name, exact: true }).click());
  await checkOverlay(page, 'shortcuts', () => page.keyboard.press('?'));
  const tags = page.getByRole('navigation', { name: 'Open pages' });
  await checkOverlay(page, 'menu of a tab', () => tags.getByRole('link').last().click({ button: 'right' }));
  await page.setViewportSize(width.phone);
  await checkOverlay(page, 'menu on a phone', () => page.getByRole('button', { name: 'Open menu' }).click());
  await page.context().close();
});
