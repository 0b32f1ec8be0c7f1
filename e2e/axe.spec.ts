import { expect } from '@playwright/test';
import { expectNoFault, look, Visitors, visit, width } from './axe-check.ts';
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

/** Lists whose rows open. */
const lists = [
  '/collection/payments',
  '/collection/Settlements',
  '/behalfPay/transfers',
  '/recharge/record',
  '/withdrawal/record',
];
const filteredLists = [...lists, '/fund/fundWater', '/lineExport'];

// A trace of every look would take longer than the looks.
test.use({ trace: 'off' });

const visitors = new Visitors();

for (const [name, viewport] of Object.entries(width)) {
  test(`every page, ${name}`, async ({ browser }) => {
    test.setTimeout(180_000);
    const page = await visitors.page(browser, viewport);
    for (const path of pages) {
      await visit(page, path);
      await expectNoFault(page, path);
    }
    await page.context().close();
  });
}

test('the detail of a row of each list', async ({ browser }) => {
  test.setTimeout(120_000);
  const page = await visitors.page(browser);
  for (const path of lists) {
    await visit(page, path);
    await page.getByRole('row').nth(1).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByText('Loading…')).toHaveCount(0);
    await expectNoFault(page, `detail of ${path}`);
  }
  await page.context().close();
});

test('filters, columns and views of each list', async ({ browser }) => {
  test.setTimeout(120_000);
  const page = await visitors.page(browser);
  for (const path of filteredLists) {
    await visit(page, path);
    const openers = page.locator('main button[aria-haspopup=dialog]');
    for (const opener of await openers.all()) {
      await opener.click();
      const box = page.locator('main [popover]:popover-open');
      await expect(box).toBeVisible();
      await expect(box.getByText('Loading…')).toHaveCount(0);
      await expectNoFault(page, `${path}: ${await opener.innerText()}`, 'main [popover]:popover-open');
      await page.keyboard.press('Escape');
    }
  }
  await page.context().close();
});

test('what opens above the frame', async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await visitors.page(browser);
  await visit(page, '/contactUs');
  for (const name of [
    'Display settings',
    /^Notifications/,
    /^Search/,
    'Language',
    /^Size/,
    /^Account menu/,
  ] as const)
    await look(page, String(name), () => page.getByRole('button', { name, exact: true }).click());
  await look(page, 'shortcuts', () => page.keyboard.press('?'));
  const tags = page.getByRole('navigation', { name: 'Open pages' });
  await look(page, 'menu of a tag', () => tags.getByRole('link').last().click({ button: 'right' }));
  await page.setViewportSize(width.phone);
  await look(page, 'menu of a phone', () => page.getByRole('button', { name: 'Open menu' }).click());
  await page.context().close();
});
