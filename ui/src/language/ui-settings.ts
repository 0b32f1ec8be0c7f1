import type { Currency } from '@hengfu/contract/money';
import { createContext, use } from 'react';

/** Facts about the app's user that times and amounts on screen depend on. */
export interface UiSettings {
  /** IANA time zone, as in "Asia/Shanghai". */
  readonly zone: string;
  /** The currency of the amounts that a filter asks for. */
  readonly currency: Currency;
}

/** The app provides a stable object around its pages: each change renders every time and filter again. */
export const UiSettingsContext = createContext<UiSettings | undefined>(undefined);

/** The settings of the app's user. Throws outside of the app's provider. */
export function useUiSettings(): UiSettings {
  const settings = use(UiSettingsContext);
  if (settings === undefined) throw new Error('useUiSettings outside of UiSettingsContext');
  return settings;
}
