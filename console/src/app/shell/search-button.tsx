import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { toolClass } from '@hengfu/ui/controls/tool-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { show, useShown } from '../search/search-store.ts';
import { modifierName } from '../shortcuts/modifier.ts';
import styles from './search-button.module.css';

/** Opens the palette; shows its shortcut if there is room. */
export function SearchButton() {
  const t = useT();
  const isOpen = useShown() === 'palette';
  return (
    <button
      type="button"
      className={`${toolClass} ${styles.button}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-keyshortcuts="Control+K Meta+K"
      title={t('search.title')}
      onClick={() => show('palette')}
    >
      <Icon name="search" size={20} />
      <span className={styles.words}>
        {t('search.title')}
        <kbd>{modifierName} K</kbd>
      </span>
    </button>
  );
}
