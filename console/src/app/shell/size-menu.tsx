import { useT } from '../../platform/i18n.ts';
import { setPreference, usePreferences } from '../../platform/preferences.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';

/** Menu that sets the size of lists, forms and buttons. */
export function SizeMenu() {
  const t = useT();
  const current = usePreferences(({ size }) => size);
  return (
    <Menu
      label={t('shell.size.label')}
      opener={<Icon name="textSize" size={20} />}
      entries={(['default', 'large', 'small'] as const).map((size) => ({
        label: t(`shell.size.${size}`),
        isChosen: size === current,
        onChosen: () => setPreference('size', size),
      }))}
    />
  );
}
