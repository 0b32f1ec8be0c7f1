import { useT } from '../../platform/i18n.ts';
import { setPreference, usePreferences } from '../../platform/preferences.ts';
import { Icon } from '../../ui/icon.tsx';
import { itemClass } from './menu-panel.tsx';
import { PopupMenu } from './popup-menu.tsx';

/** Menu that sets the size of lists, forms and buttons. */
export function SizeMenu() {
  const t = useT();
  const current = usePreferences(({ size }) => size);
  return (
    <PopupMenu label={t('shell.size.label')} opener={<Icon name="textSize" size={20} />}>
      {(['default', 'large', 'small'] as const).map((size) => (
        <button
          key={size}
          type="button"
          role="menuitemradio"
          aria-checked={size === current}
          className={itemClass}
          onClick={() => setPreference('size', size)}
        >
          {t(`shell.size.${size}`)}
          {size === current && <Icon name="check" size={16} />}
        </button>
      ))}
    </PopupMenu>
  );
}
