import { type UiSettings, UiSettingsContext } from '@hengfu/ui/language/ui-settings.ts';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { useUser } from '../../platform/session-store.ts';

/** Provides the signed-in user's time zone, and the merchant's currency, to what is shown inside. */
export function UserSettings({ children }: { children: ReactNode }): ReactElement {
  const { zone, merchant } = useUser();
  const { currency } = merchant;
  const settings = useMemo<UiSettings>(() => ({ zone, currency }), [zone, currency]);
  return <UiSettingsContext value={settings}>{children}</UiSettingsContext>;
}
