import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page } from '@playwright/test';
import { productUrl, signIn } from './people.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that depend on colors alone. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Returns axe's violations on the page, or in the part of it that the selector `within` names. */
async function violationsOf(page: Page, theme: 'light' | 'dark', within?: string): Promise<string[]> {
  await page.evaluate(async (value) => {
    document.documentElement.dataset.theme = value;
    // Cards out of view are not repainted until scrolled to, and axe would read the other theme's colors.
    for (const card of document.querySelectorAll<HTMLElement>('main li'))
      card.style.contentVisibility = 'visible';
    // Even the shortest transition only advances with frames.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }, theme);
  // The default mode opens a tab per run, for cross-origin frames; there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (within !== undefined) axe.include(within);
  // The second theme differs in its colors only.
  const { violations } = await (theme === 'light'
    ? axe.withTags(rules)
    : axe.withRules(colorRules)
  ).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => `${id} ${target} ${html}`));
}

/**
 * Expects no violations in either theme; a failure does not end the test. `name` says where. Colors from antd
 * (alerts, toasts) follow a theme only from the start of a page.
 */
export async function expectNoViolations(page: Page, name: string, within?: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const)
    expect.soft(await violationsOf(page, theme, within), `${name}, ${theme}`).toEqual([]);
}

/** Waits until the page shows its heading and has finished loading. */
async function waitUntilLoaded(page: Page): Promise<void> {
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
  const shown = page.locator('[role=dialog], [role=menu], dialog[open]').filter({ visible: true });
  const countBefore = await shown.count();
  await open();
  await expect(shown).not.toHaveCount(countBefore);
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expectNoViolations(page, name);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(countBefore);
}
