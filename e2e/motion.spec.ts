import { expect, type Page } from '@playwright/test';
import { demoKey, productUrl, signIn } from './people.ts';
import { ShopClient } from './shop/shop-client.ts';
import { test } from './story.ts';

const shop = () => new ShopClient({ base: productUrl(), key: demoKey.id, secret: demoKey.secret });

/** Returns the elements with a running animation. */
const animatedElements = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map((animation) => (animation.effect as KeyframeEffect).target?.outerHTML.slice(0, 120)),
  );

test('nothing is animated under reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/merchant\/collections(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  // With a parameter: without one, the page comes with its rows.
  await signIn(page, '/collection/payments?limit=50');
  await expect(page.getByRole('status').filter({ hasText: 'Loading' }).first()).toBeVisible();
  await expect.poll(() => animatedElements(page)).toEqual([]);
  release();
  await page.getByRole('row').nth(1).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect.poll(() => animatedElements(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Connection lost' })).toBeVisible();
  await expect.poll(() => animatedElements(page)).toEqual([]);
});

test('new and changed rows are announced politely', async ({ page }) => {
  await signIn(page, '/collection/payments');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const announcements = page.getByRole('main').getByRole('status');
  const out_trade_no = `NEWS-${Date.now()}`;
  const order = await shop().create({ out_trade_no, amount: '12.00', currency: 'CNY', subject: 'Tea' });
  await expect(page.getByRole('row').nth(1)).toContainText(out_trade_no);
  await expect(announcements.filter({ hasText: 'New or changed rows: 1' })).toHaveCount(1);
  await shop().cancel(order.trade_no);
  await expect(page.getByRole('row').nth(1)).toContainText('Cancelled');
  await expect(announcements.filter({ hasText: 'New or changed rows: 1' })).toHaveCount(1);
  // On later pages rows do not move; a button offers the new ones instead.
  await page
    .getByRole('link', { name: 'Older' })
    .or(page.getByRole('button', { name: 'Older' }))
    .click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(announcements.filter({ hasText: 'New or changed rows' })).toHaveCount(0);
});
