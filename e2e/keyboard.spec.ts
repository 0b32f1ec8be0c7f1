import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { demo, open, productUrl } from './people.ts';
import { test } from './story.ts';

/** More tab stops than any page has. */
const maxStops = 120;

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toHaveCount(1);
  for (let stop = 0; stop < maxStops; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

const activate = async (page: Page, target: Locator) => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

const typeInto = async (page: Page, target: Locator, text: string) => {
  await tabTo(page, target);
  await page.keyboard.type(text);
};

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Signs in by keyboard, and arrives at a path. */
async function signInByKeyboard(page: Page, path: string): Promise<void> {
  await open(page, path);
  await typeInto(page, page.getByLabel('Email'), demo.email);
  await typeInto(page, page.getByLabel('Password', { exact: true }), demo.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(productUrl() + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Whether nothing has the focus, so that a keyboard user would have to start from the top. */
const isFocusLost = (page: Page) => page.evaluate(() => document.activeElement === document.body);

/** Opens a popup by its button and closes it with Escape. The focus must move into it and back. */
async function openAndClose(page: Page, opener: Locator, shown: Locator): Promise<void> {
  await activate(page, opener);
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(shown).toBeHidden();
  await expect(opener).toBeFocused();
}

/** A new amount each time, because a repeated payment within 24 hours needs confirmation. */
let cents = Date.now() % 9000;

async function fillIn(page: Page): Promise<void> {
  await typeInto(page, page.getByLabel('Payee', { exact: true }), '韩秋雨');
  await typeInto(page, page.getByLabel('Receiving account'), '987654329002');
  const bank = page.getByRole('combobox', { name: 'Bank', exact: true });
  await tabTo(page, bank);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('dialog', { name: 'Bank' }).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('gsyh');
  await page.keyboard.press('Enter');
  await expect(bank).toHaveText('Industrial and Commercial Bank of China');
  await expect(bank).toBeFocused();
  await tabTo(page, page.getByLabel('Bank name'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('中国工商银行');
  await typeInto(page, page.getByLabel('Payment amount (CNY)'), (cents++ / 100 + 1).toFixed(2));
  await page.keyboard.press('Enter');
}

test('a payout is submitted and followed by keyboard', async ({ page }) => {
  await signInByKeyboard(page, '/behalfPay/apply');
  await fillIn(page);
  const confirm = page.getByRole('dialog', { name: 'Send this payment?' });
  await expect(confirm.getByLabel('Payment password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(confirm).toHaveCount(0);
  expect(await isFocusLost(page)).toBe(false);
  await activate(page, button(page, 'Continue'));
  await expect(confirm.getByLabel('Payment password')).toBeFocused();
  await page.keyboard.type('888888');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Application successful')).toBeVisible();
  expect(await isFocusLost(page)).toBe(false);
  await activate(page, button(page, 'New payout'));
  expect(await isFocusLost(page)).toBe(false);
  await fillIn(page);
  await expect(confirm.getByLabel('Payment password')).toBeFocused();
  await page.keyboard.type('888888');
  await page.keyboard.press('Enter');
  await activate(page, page.getByRole('link', { name: 'View status' }));
  await expect(page.getByRole('dialog', { name: /^Payout P/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await isFocusLost(page)).toBe(false);
});

test('a list is filtered, opened, exported and downloaded by keyboard', async ({ page }) => {
  await signInByKeyboard(page, '/collection/payments');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const box = page.getByRole('dialog', { name: 'Order status' });
  await openAndClose(page, button(page, 'Order status'), box);
  await activate(page, button(page, 'Order status'));
  await tabTo(page, box.getByLabel('Refund received'));
  await page.keyboard.press('Space');
  await activate(page, box.getByRole('button', { name: 'Apply' }));
  await expect(page).toHaveURL(/status=refunded/);
  expect(await isFocusLost(page)).toBe(false);

  const first = page.getByRole('row').nth(1).getByRole('link').first();
  await openAndClose(page, first, page.getByRole('dialog'));
  await openAndClose(page, button(page, 'Export'), page.getByRole('dialog', { name: 'Export this list' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export this list' });
  await activate(page, dialog.getByRole('button', { name: 'Export' }));
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible();
  expect(await isFocusLost(page)).toBe(false);
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Export successful');
  await tabTo(page, row.getByRole('link', { name: 'Download' }));
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toContain('Refund received');
});

test('the shell’s skip link, menus, panels and tabs work by keyboard', async ({ page }) => {
  await signInByKeyboard(page, '/collection/payments');
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
  expect(await isFocusLost(page)).toBe(false);
});

test('every tab stop of a page is in view and shows the focus', async ({ page }) => {
  await signInByKeyboard(page, '/behalfPay/transfers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const unseen: string[] = [];
  let stops = 0;
  for (; stops < maxStops; stops++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      // The outline may be on the element, on its wrapper (a field with its icon), or on its label.
      const isOutlined = [element, element.parentElement, element.closest('label')].some((one) => {
        const style = one && getComputedStyle(one);
        return style && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
      });
      const { width, height, right, bottom } = element.getBoundingClientRect();
      const isInSight = width > 0 && height > 0 && right > 0 && bottom > 0;
      return { isSeen: isOutlined && isInSight, html: element.outerHTML.slice(0, 160) };
    });
    if (!stop) break;
    if (!stop.isSeen) unseen.push(stop.html);
  }
  expect(stops).toBeGreaterThan(30);
  expect(unseen).toEqual([]);
});
