import { legibleOn, mix } from '@hengfu/contract/contrast';

export type ThemeName = 'light' | 'dark';

/** The specification's theme color (point 9). */
export const defaultThemeColor = '#409EFF';

/**
 * Backgrounds, text and signal colors, the same as in tokens.css. Text has at least 4.5:1 on each background.
 */
export const palette = {
  light: {
    page: '#f3f5f9',
    surface: '#ffffff',
    raised: '#ffffff',
    text: '#172033',
    muted: '#566175',
    line: '#dfe4ec',
    field: '#7d889b',
    hover: '#eef2f7',
    success: '#0a7a4b',
    warning: '#985400',
    danger: '#c32f3a',
    /** Beside the accent in charts, never for text: told apart from it by every kind of color vision. */
    second: '#d95d1a',
  },
  dark: {
    page: '#0f141b',
    surface: '#171d26',
    raised: '#1f2733',
    text: '#e6eaf1',
    muted: '#9fabbd',
    line: '#2c3645',
    field: '#6f7c90',
    hover: '#212a37',
    success: '#3fc98b',
    warning: '#f0a94a',
    danger: '#ff7a80',
    second: '#ff9a5c',
  },
} as const;

/** Colors derived from the chosen theme color. */
export interface Accent {
  /** Links, solid buttons, selected entries. */
  accent: string;
  /** Text on `accent`. */
  onAccent: string;
  /** A muted background for accent-colored text. */
  accentSoft: string;
}

/**
 * Adapts the theme color for contrast. In the light theme it is dark enough to be used as text and behind
 * white text; in the dark theme it is bright enough, with dark text on it. (#409EFF on white has only 2.8:1.)
 */
export function accentOf(theme: ThemeName, themeColor: string): Accent {
  const { page, surface, raised, hover } = palette[theme];
  if (theme === 'light') {
    const accentSoft = mix(surface, themeColor, 0.13);
    const accent = legibleOn(themeColor, [page, surface, hover, accentSoft], 'darker', 4.5);
    return { accent, onAccent: '#ffffff', accentSoft };
  }
  const accentSoft = mix(surface, themeColor, 0.17);
  const accent = legibleOn(themeColor, [page, surface, raised, hover, accentSoft], 'lighter', 4.5);
  return { accent, onAccent: '#0a1420', accentSoft };
}
