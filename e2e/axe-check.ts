import { type Browser, expect, type Page } from '@playwright/test';
import { ofSecondTheme, setTheme, violationsOf } from './axe.ts';
import { productUrl, signIn } from './people.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/**
 * Expects no violations in either theme; a failure does not end the test. `name` says where.
 */
export async function expectNoViolations(page: Page, name: string, within?: string): Promise<void> {
  const part = within === undefined ? {} : { within };
  await setTheme(page, 'dark');
  expect.soft(await violationsOf(page, { ...part, ...ofSecondTheme }), `${name}, dark`).toEqual([]);
  await setTheme(page, 'light');
  expect.soft(await violationsOf(page, { ...part, tags }), `${name}, light`).toEqual([]);
}

/** Waits until the page shows its heading and has finished loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

/** The viewports that pages are checked in. */
export const width = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * Opens pages that share one sign-in. Motion is reduced, so that no color is checked in mid-transition.
 */
export class SharedSession {
  #state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>> | undefined;

  async page(browser: Browser, viewport = width.desk): Promise<Page> {
    const options = { viewport, reducedMotion: 'reduce' } as const;
    const context = await browser.newContext(
      this.#state ? { ...options, storageState: this.#state } : options,
    );
    const page = await context.newPage();
    if (!this.#state) {
      await signIn(page, '/dashboard');
      this.#state = await context.storageState();
    }
    return page;
  }
}

/** Opens a path, and waits until it has loaded. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(productUrl() + path);
  await waitUntilLoaded(page);
}

/** Opens a dialog or menu, checks it, and closes it with Escape. */
export async function checkOverlay(page: Page, name: string, open: () => Promise<void>): Promise<void> {
  // A toast is a dialog, too, but goes by itself, perhaps while this one is open.
  const shown = page.locator('[role=dialog]:not([data-kind=toast]), [role=menu]').filter({ visible: true });
  const countBefore = await shown.count();
  await open();
  await expect(shown).not.toHaveCount(countBefore);
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expectNoViolations(page, name);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(countBefore);
}
