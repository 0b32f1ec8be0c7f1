import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { demo, open, productUrl } from './people.ts';
import { test } from './story.ts';

/** More stops than any page has. */
const mostStops = 120;

/** Goes on from stop to stop until the focus is where it is wanted. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toHaveCount(1);
  for (let stop = 0; stop < mostStops; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

const choose = async (page: Page, target: Locator) => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

const write = async (page: Page, target: Locator, text: string) => {
  await tabTo(page, target);
  await page.keyboard.type(text);
};

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Signs in by the keyboard, on the way to a path. */
async function enter(page: Page, path: string): Promise<void> {
  await open(page, path);
  await write(page, page.getByLabel('Email'), demo.email);
  await write(page, page.getByLabel('Password', { exact: true }), demo.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(productUrl() + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Nothing has the focus: a reader by keyboard would start anew from the top. */
const isLost = (page: Page) => page.evaluate(() => document.activeElement === document.body);

/** Opens something by its button, closes it by Escape: the focus was in it, and is back. */
async function openAndClose(page: Page, opener: Locator, shown: Locator): Promise<void> {
  await choose(page, opener);
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(shown).toBeHidden();
  await expect(opener).toBeFocused();
}

/** Another amount each time: the same payment twice a day is asked about. */
let cents = Date.now() % 9000;

async function fillIn(page: Page): Promise<void> {
  await write(page, page.getByLabel('Payee', { exact: true }), '韩秋雨');
  await write(page, page.getByLabel('Receiving account'), '987654329002');
  await write(page, page.getByLabel('Bank', { exact: true }), 'Industrial and Comm');
  await expect(page.getByLabel('Bank', { exact: true })).not.toHaveValue('');
  await tabTo(page, page.getByLabel('Bank name'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('中国工商银行');
  await write(page, page.getByLabel('Payment amount (CNY)'), (cents++ / 100 + 1).toFixed(2));
  await page.keyboard.press('Enter');
}

test('a payout is applied for, with the payment password, and followed', async ({ page }) => {
  await enter(page, '/behalfPay/apply');
  await fillIn(page);
  const confirm = page.getByRole('dialog', { name: 'Send this payment?' });
  await expect(confirm.getByLabel('Payment password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(confirm).toHaveCount(0);
  expect(await isLost(page)).toBe(false);
  await choose(page, button(page, 'Continue'));
  await expect(confirm.getByLabel('Payment password')).toBeFocused();
  await page.keyboard.type('888888');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Application successful')).toBeVisible();
  expect(await isLost(page)).toBe(false);
  await choose(page, button(page, 'New payout'));
  expect(await isLost(page)).toBe(false);
  await fillIn(page);
  await expect(confirm.getByLabel('Payment password')).toBeFocused();
  await page.keyboard.type('888888');
  await page.keyboard.press('Enter');
  await choose(page, page.getByRole('link', { name: 'View status' }));
  await expect(page.getByRole('dialog', { name: /^Payout P/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await isLost(page)).toBe(false);
});

test('a list is filtered, a row looked at, exported, and the file fetched', async ({ page }) => {
  await enter(page, '/collection/payments');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const box = page.getByRole('dialog', { name: 'Order status' });
  await openAndClose(page, button(page, 'Order status'), box);
  await choose(page, button(page, 'Order status'));
  await tabTo(page, box.getByLabel('Refund received'));
  await page.keyboard.press('Space');
  await choose(page, box.getByRole('button', { name: 'Apply' }));
  await expect(page).toHaveURL(/status=refunded/);
  expect(await isLost(page)).toBe(false);

  const first = page.getByRole('row').nth(1).getByRole('link').first();
  await openAndClose(page, first, page.getByRole('dialog'));
  await openAndClose(page, button(page, 'Export'), page.getByRole('dialog', { name: 'Export this list' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export this list' });
  await choose(page, dialog.getByRole('button', { name: 'Export' }));
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible();
  expect(await isLost(page)).toBe(false);
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Export successful');
  await tabTo(page, row.getByRole('link', { name: 'Download' }));
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toContain('Refund received');
});

test('the frame: skip link, menus, panels, tags', async ({ page }) => {
  await enter(page, '/collection/payments');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const menu = (name: string | RegExp) => page.getByRole('menu', { name });
  await openAndClose(page, button(page, 'Language'), menu('Language'));
  await openAndClose(page, button(page, /^Size/), menu(/^Size/));
  await openAndClose(
    page,
    button(page, 'Display settings'),
    page.getByRole('dialog', { name: 'Display settings' }),
  );
  await openAndClose(
    page,
    button(page, /^Notifications/),
    page.getByRole('dialog', { name: 'Notifications' }),
  );
  await openAndClose(page, button(page, /^Account menu/), menu(/^Account menu/));
  await openAndClose(page, button(page, /^Search/), page.getByRole('dialog', { name: 'Search' }));
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(button(page, /^Search/)).toBeFocused();

  const tag = page
    .getByRole('navigation', { name: 'Open pages' })
    .getByRole('link', { name: 'Transactions' });
  await tabTo(page, tag);
  await page.keyboard.press('Shift+F10');
  await expect(menu('Page menu')).toBeVisible();
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu('Page menu')).toBeHidden();
  await expect(tag).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Close', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/dashboard$/);
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(await isLost(page)).toBe(false);
});

test('the focus can be seen at every stop of a page, and no stop is out of sight', async ({ page }) => {
  await enter(page, '/behalfPay/transfers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const unseen: string[] = [];
  let stops = 0;
  for (; stops < mostStops; stops++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      // Where the mark stands on what surrounds the element (a field with its icon), or on what it labels.
      const marked = [element, element.parentElement, element.closest('label')].some((one) => {
        const style = one && getComputedStyle(one);
        return style && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
      });
      const { width, height, right, bottom } = element.getBoundingClientRect();
      const isInSight = width > 0 && height > 0 && right > 0 && bottom > 0;
      return { isSeen: marked && isInSight, html: element.outerHTML.slice(0, 160) };
    });
    if (!stop) break;
    if (!stop.isSeen) unseen.push(stop.html);
  }
  expect(stops).toBeGreaterThan(30);
  expect(unseen).toEqual([]);
});
