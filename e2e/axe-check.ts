import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page } from '@playwright/test';
import { productUrl, signIn } from './people.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What depends on colours alone. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong on the page, or in the part of it that `within` names. */
async function faultsOf(page: Page, theme: 'light' | 'dark', within?: string): Promise<string[]> {
  await page.evaluate(async (value) => {
    document.documentElement.dataset.theme = value;
    // What is out of sight is not drawn anew before it is scrolled to, and axe would read colours of the other theme.
    for (const card of document.querySelectorAll<HTMLElement>('main li'))
      card.style.contentVisibility = 'visible';
    // Even the shortest transition stands at its beginning until frames were drawn.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }, theme);
  // The other mode opens a tab for each look, for frames of other origins; there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (within !== undefined) axe.include(within);
  // Of the second theme only the colours are another matter.
  const { violations } = await (theme === 'light' ? axe.withTags(rules) : axe.withRules(ofColours)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => `${id} ${target} ${html}`));
}

/**
 * Expects that axe finds nothing, by the colours of both themes; the next look comes nevertheless. `name` says where.
 * What is coloured by antd (alerts, toasts) follows a theme only from the start of a page.
 */
export async function expectNoFault(page: Page, name: string, within?: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const)
    expect.soft(await faultsOf(page, theme, within), `${name}, ${theme}`).toEqual([]);
}

/** Waits until the page shows what it is for: its heading, and nothing that is still on its way. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

/** The widths that pages are looked at in. */
export const width = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * Gives pages of somebody who signs in once for all of them; without motion, so that no colour is halfway to another.
 */
export class Visitors {
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

/** Goes to a path, and waits for what is there. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(productUrl() + path);
  await settled(page);
}

/** Opens something on a page, looks at it, and closes it by Escape. */
export async function look(page: Page, name: string, open: () => Promise<void>): Promise<void> {
  const shown = page.locator('[role=dialog], [role=menu], dialog[open]').filter({ visible: true });
  const known = await shown.count();
  await open();
  await expect(shown).not.toHaveCount(known);
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expectNoFault(page, name);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(known);
}
