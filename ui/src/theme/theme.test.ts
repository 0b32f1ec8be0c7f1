import { globSync, readFileSync } from 'node:fs';
import { contrastRatio } from '@hengfu/contract/contrast';
import { describe, expect, test } from 'vitest';
import { accentOf, defaultThemeColor, palette, type ThemeName } from './theme.ts';

const themes: ThemeName[] = ['light', 'dark'];
/** Colors that a user might choose: pale, dark, gray, vivid. */
const themeColors = [
  defaultThemeColor,
  '#ffffff',
  '#000000',
  '#888888',
  '#ffee00',
  '#ff0080',
  '#00ff88',
  '#123456',
];

test('computes the contrast ratio of WCAG', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

describe.each(themes)('%s', (theme) => {
  const { page, surface, raised, hover, field, second, ...colors } = palette[theme];
  const backgrounds = { page, surface, raised, hover };

  test('every text color is legible on every background', () => {
    const { line: _line, ...texts } = colors;
    for (const [name, text] of Object.entries(texts)) {
      for (const [backgroundName, background] of Object.entries(backgrounds)) {
        expect(contrastRatio(text, background), `${name} on ${backgroundName}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test('field borders and the second color of charts are visible', () => {
    for (const background of [page, surface, raised]) {
      expect(contrastRatio(field, background)).toBeGreaterThanOrEqual(3);
      expect(contrastRatio(second, background)).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(themeColors)(
    'theme color %s: links, selected entries and solid buttons are legible',
    (themeColor) => {
      const { accent, onAccent, accentSoft } = accentOf(theme, themeColor);
      for (const background of [...Object.values(backgrounds), accentSoft]) {
        expect(contrastRatio(accent, background)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrastRatio(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('tokens.css has the same colors', () => {
    const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
    const start = theme === 'light' ? ':root {' : ':root[data-theme="dark"] {';
    const block = css.slice(css.indexOf(start)).split('}')[0] ?? '';
    const inCss = Object.fromEntries(
      [...block.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, value]) => [name, value]),
    );
    const { accent, onAccent, accentSoft } = accentOf(theme, defaultThemeColor);
    expect(inCss).toEqual({
      ...palette[theme],
      accent,
      'on-accent': onAccent,
      'accent-soft': accentSoft,
    });
  });
});

/** The cashier follows the phone's text size; the brand side of the sign-in page is an illustration. */
const exempt = /cashier|login-page|progress\.css/;

test('style sheets take text sizes and colors from the tokens', () => {
  const root = new URL('../../..', import.meta.url).pathname;
  const files = globSync('{ui,console}/src/**/*.css', { cwd: root });
  expect(files).toContain('console/src/app/shell/shell.module.css');
  const literals = files
    .filter((file) => !exempt.test(file) && !file.endsWith('tokens.css'))
    .flatMap((file) => {
      const css = readFileSync(`${root}/${file}`, 'utf8');
      const found = css.match(/font-size: (?!56px)[\d.]+(px|rem)|#[0-9a-f]{3,8}\b/gi) ?? [];
      return found.map((literal) => `${file}: ${literal}`);
    });
  expect(literals).toEqual([]);
});

test('style sheets of the shared workspace follow the direction of the text', () => {
  const root = new URL('..', import.meta.url).pathname;
  const physical =
    /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)|left|right)\s*:|text-align:\s*(?:left|right)/g;
  const found = globSync('**/*.css', { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(physical)].map(
      ([text]) => `${file}: ${text.trim()}`,
    ),
  );
  expect(found).toEqual([]);
});
