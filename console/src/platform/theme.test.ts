import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrastRatio } from './contrast.ts';
import { accentOf, defaultThemeColor, palette, type ThemeName } from './theme.ts';

const themes: ThemeName[] = ['light', 'dark'];
/** Colours that a reader might choose: pale, dark, grey, loud. */
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

test('the ratio is WCAG’s', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

describe.each(themes)('%s', (theme) => {
  const { page, surface, raised, hover, field, ...colors } = palette[theme];
  const grounds = { page, surface, raised, hover };

  test('every text colour can be read on every ground', () => {
    const { line: _line, ...texts } = colors;
    for (const [name, text] of Object.entries(texts)) {
      for (const [groundName, ground] of Object.entries(grounds)) {
        expect(contrastRatio(text, ground), `${name} on ${groundName}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test('the border of a field can be seen', () => {
    for (const ground of [page, surface, raised]) {
      expect(contrastRatio(field, ground)).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(themeColors)(
    'theme colour %s: links, selected entries and solid buttons can be read',
    (themeColor) => {
      const { accent, onAccent, accentSoft } = accentOf(theme, themeColor);
      for (const ground of [...Object.values(grounds), accentSoft]) {
        expect(contrastRatio(accent, ground)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrastRatio(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('tokens.css says the same', () => {
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

/** The cashier has a scale of its own: it follows the phone's size of text. The brand's side of the sign-in page is a picture. */
const others = /cashier|login-page|progress\.css/;

test('style sheets take sizes of text and colours from the tokens', () => {
  const source = new URL('..', import.meta.url).pathname;
  const literals = globSync('**/*.css', { cwd: source })
    .filter((file) => !others.test(file) && !file.endsWith('tokens.css'))
    .flatMap((file) => {
      const css = readFileSync(`${source}/${file}`, 'utf8');
      const found = css.match(/font-size: (?!56px)[\d.]+(px|rem)|#[0-9a-f]{3,8}\b/gi) ?? [];
      return found.map((literal) => `${file}: ${literal}`);
    });
  expect(literals).toEqual([]);
});
