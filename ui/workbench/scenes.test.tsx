import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type Scene, scenes } from './scenes.ts';
import { violations } from './testing/axe.ts';
import { show } from './testing/show.tsx';

/** The button of a scene that opens something, by its accessible name. */
const openers: Record<string, RegExp> = {
  menu: /^List tools$/,
  popover: /^Views$/,
  dialog: /^Save this view$/,
  drawer: /^C26030300000000000001$/,
};

/** Opens what the scene is about, and waits until it is there. */
async function open({ name }: Scene): Promise<void> {
  if (name === 'combobox' || name === 'date-field') await page.getByRole('combobox').first().click();
  const opener = openers[name];
  if (opener) await page.getByRole('button', { name: opener }).click();
  if (name === 'menu') await expect.element(page.getByRole('menu')).toBeVisible();
  else if (opener || name === 'combobox' || name === 'date-field')
    await expect.element(page.getByRole('dialog').first()).toBeVisible();
  if (name === 'list') await expect.element(page.getByText('45 rows')).toBeVisible();
}

/** Elements that reach beyond the window's sides, without those that scroll inside of another one. */
function overflowing(): string[] {
  const isScrolled = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || isScrolled(element.parentElement));
  return [...document.querySelectorAll('body *')]
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1) && !isScrolled(element.parentElement);
    })
    .map((element) => element.outerHTML.slice(0, 120));
}

describe.each(scenes)('$name', (scene) => {
  test.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (theme) => {
    await show(<scene.Content />, { theme });
    await open(scene);
    expect(await violations()).toEqual([]);
  });

  test.each([
    { direction: 'ltr', size: 'default' },
    { direction: 'rtl', size: 'large' },
    { direction: 'ltr', size: 'small' },
  ] as const)('fits a phone, $direction, size $size', async (variant) => {
    await show(<scene.Content />, { ...variant, width: 390, language: 'vi' });
    expect(overflowing()).toEqual([]);
  });

  test('what it opens stays within the window, right to left, too', async () => {
    await show(<scene.Content />, { direction: 'rtl' });
    await open(scene);
    // A popup is placed a moment after it is there.
    await expect.poll(overflowing).toEqual([]);
  });
});
