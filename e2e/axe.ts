import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { leavesLongTests } from '@hengfu/tools/long-files';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that depend on colors alone. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Limits a check to a part of the page, by its selector, and to rules by name or tag. Everything by default. */
interface AxeCheck {
  within?: string;
  rules?: readonly string[];
  tags?: readonly string[];
}

/**
 * Two facts about menus and boxes that axe cannot see: the guards around them pass the focus on and never keep it, and a menu
 * belongs to the button that opened it, in whatever landmark that is.
 */
function isExempt(rule: string, html: string): boolean {
  if (rule === 'aria-hidden-focus') return html.includes('data-base-ui-focus-guard');
  return rule === 'region' && html.includes('role="menu"');
}

/**
 * Returns axe's violations on a page: rule, target and markup of each element. Loads axe once per document, which takes about as
 * long as a check; the debugging protocol evaluates it, so the page's content security policy does not apply. A run that leaves long tests to
 * build servers checks nothing here, and names that as a skip.
 */
export async function violationsOf(page: Page, { within, rules, tags }: AxeCheck = {}): Promise<string[]> {
  if (leavesLongTests()) return [];
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  await settleTransitions(page);
  const values = [...(rules ?? tags ?? [])];
  const options: RunOptions = {
    resultTypes: ['violations'],
    iframes: false,
    ...(values.length > 0 && { runOnly: { type: rules ? 'rule' : 'tag', values } }),
  };
  const { violations } = await page.evaluate(
    ([context, settings]) =>
      (window as unknown as { axe: { run(on: unknown, as: unknown): Promise<AxeResults> } }).axe.run(
        context === undefined ? document : { include: [[context]] },
        settings,
      ),
    [within, options] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.filter(({ html }) => !isExempt(id, html)).map(({ html, target }) => `${id} ${target} ${html}`),
  );
}

/** Finishes the transitions under way: halfway between two colors, a contrast is nobody's choice. */
async function settleTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition) animation.finish();
  });
}

/** Switches the theme, and waits until the page is drawn in it. */
export async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(async (value) => {
    document.documentElement.dataset.theme = value;
    // Cards out of view are not repainted until scrolled to, and axe would read the other theme's colors.
    for (const card of document.querySelectorAll<HTMLElement>('main li'))
      card.style.contentVisibility = 'visible';
    // The transitions of colors begin with a frame; their ends are what axe has to see.
    for (let frame = 0; frame < 4; frame++) {
      await new Promise(requestAnimationFrame);
      for (const animation of document.getAnimations())
        if (animation instanceof CSSTransition) animation.finish();
    }
  }, theme);
}

/** The check of the second of two themes, which differ in their colors only. */
export const ofSecondTheme: AxeCheck = { rules: colorRules };

/** Returns the violations of a page in the dark theme and in the light one, in which it stays. */
export async function violationsInThemes(page: Page): Promise<string[]> {
  await setTheme(page, 'dark');
  const dark = await violationsOf(page, ofSecondTheme);
  await setTheme(page, 'light');
  return [...dark.map((violation) => `dark: ${violation}`), ...(await violationsOf(page))];
}
