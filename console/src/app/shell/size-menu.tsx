import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';
import { setPreference, usePreferences } from '@hengfu/ui/theme/preferences.ts';

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
