import { usePreferences } from './preferences.ts';
import { onSystemTheme, shownTheme } from './shown-theme.ts';
import { accentOf, defaultThemeColor } from './theme.ts';

/** The preferences that the document shows. */
const looks = ['theme', 'themeColor', 'size'] as const;

/**
 * Applies the chosen theme and size to the document, now and on every change. index.html already sets
 * `data-theme` before the first paint; this adds the accent colors of a theme color other than tokens.css's
 * default.
 */
export function startTheme(): void {
  applyTheme();
  usePreferences.subscribe((now, before) => {
    if (looks.some((name) => now[name] !== before[name])) applyTheme();
  });
  onSystemTheme(applyTheme);
}

function applyTheme(): void {
  const { theme: choice, themeColor, size } = usePreferences.getState();
  const theme = shownTheme(choice);
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.dataset.size = size;
  const isDefault = themeColor.toLowerCase() === defaultThemeColor.toLowerCase();
  const { accent, onAccent, accentSoft } = accentOf(theme, themeColor);
  const values = { '--accent': accent, '--on-accent': onAccent, '--accent-soft': accentSoft };
  for (const [name, value] of Object.entries(values)) {
    if (isDefault) root.style.removeProperty(name);
    else root.style.setProperty(name, value);
  }
}
