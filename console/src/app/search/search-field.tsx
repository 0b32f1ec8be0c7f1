import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './palette.module.css';
import { show } from './search-store.ts';

/** The longest text that can be searched for. */
const maxLength = 100;

interface SearchFieldProps {
  listId: string;
  /** The highlighted row, which Enter chooses. */
  activeId: string | undefined;
  hasRows: boolean;
  query: string;
  onQuery: (query: string) => void;
}

/** The text field of the search. Focus stays here while keys move among the rows. */
export function SearchField(props: SearchFieldProps): ReactElement {
  const { listId, activeId, hasRows, query, onQuery } = props;
  const t = useT();
  return (
    <div className={styles.field}>
      <Icon name="search" size={20} />
      <input
        role="combobox"
        type="text"
        inputMode="search"
        enterKeyHint="go"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        placeholder={t('search.placeholder')}
        aria-label={t('search.title')}
        aria-expanded={hasRows}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        value={query}
        onChange={({ target }) => onQuery(target.value)}
      />
      <button type="button" className={styles.close} onClick={() => show(undefined)}>
        {t('ui.close')}
      </button>
    </div>
  );
}
