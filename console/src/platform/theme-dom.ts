import { usePreferences } from './preferences.ts';
import { accentOf, defaultThemeColor } from './theme.ts';

/**
 * Puts the chosen theme and size on the document and follows later changes. index.html sets `data-theme` before the first
 * paint already; here come the colours of a theme colour that is not the default one in tokens.css.
 */
export function startTheme(): void {
  applyTheme();
  usePreferences.subscribe(applyTheme);
}

function applyTheme(): void {
  const { theme, themeColor, size } = usePreferences.getState();
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
