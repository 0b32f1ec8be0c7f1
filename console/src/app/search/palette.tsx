import { isSearchable } from '@hengfu/contract/search';
import { isComposing } from '@hengfu/ui/browser/is-composing.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Modal } from '@hengfu/ui/overlays/modal.tsx';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useState } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { useSignOut } from '../shell/use-sign-out.ts';
import type { Entry } from './entries.ts';
import styles from './palette.module.css';
import { PaletteList } from './palette-list.tsx';
import { SearchField } from './search-field.tsx';
import { show } from './search-store.ts';
import { useGroups } from './use-groups.tsx';
import { useHits } from './use-hits.ts';

/** Finds pages, actions and orders as the user types (WAI-ARIA: combobox with a listbox, in a dialog). */
export function Palette(): ReactElement {
  const id = useId();
  const [query, setQuery] = useState('');
  const [activeId, setActiveId] = useState<string>();
  const hits = useHits(query);
  const choose = useChoose();
  const groups = useGroups(query.trim(), hits, { signOut: useSignOut(), showHelp: () => show('help') });
  const entries = groups.flatMap((group) => group.entries);
  const active = entries.find((entry) => entry.id === activeId) ?? entries[0];
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter' && active) {
      event.preventDefault();
      choose(active, event.ctrlKey || event.metaKey);
    } else {
      const next = nextIndex(event.key, active ? entries.indexOf(active) : 0, entries.length);
      if (next === undefined) return;
      event.preventDefault();
      setActiveId(entries[next]?.id);
    }
  };
  const optionId = (entry: Entry) => `${id} ${entry.id}`.replaceAll(' ', '-');
  return (
    <Panel onKeyDown={onKeyDown}>
      <SearchField
        listId={`${id}list`}
        activeId={active && optionId(active)}
        hasRows={entries.length > 0}
        query={query}
        onQuery={(text) => {
          setQuery(text);
          setActiveId(undefined);
        }}
      />
      <div className={styles.body}>
        {hits.error && <Failure error={hits.error} onRetry={hits.retry} />}
        <PaletteList
          id={`${id}list`}
          groups={groups}
          active={active}
          optionId={optionId}
          onPoint={(entry) => setActiveId(entry.id)}
          onChoose={choose}
        />
        <SearchStatus query={query} count={entries.length} {...hits} />
      </div>
    </Panel>
  );
}

/** The palette's dialog. */
function Panel({
  onKeyDown,
  children,
}: {
  onKeyDown: (event: KeyboardEvent) => void;
  children: ReactNode;
}): ReactElement {
  const t = useT();
  return (
    <Modal
      label={t('search.title')}
      viewportClass={styles.viewport}
      panelClass={styles.panel}
      onClose={() => show(undefined)}
      panel={{ onKeyDown }}
    >
      {children}
    </Modal>
  );
}

/** Runs a chosen entry. The palette closes first, so that focus has returned before the action moves it. */
function useChoose(): (entry: Entry, isInNewTab: boolean) => void {
  const router = useRouter();
  return ({ action, onChosen }, isInNewTab) => {
    onChosen?.();
    show(undefined);
    if (typeof action !== 'string') action();
    else if (isInNewTab) window.open(action, '_blank', 'noopener');
    else void router.navigate({ href: action });
  };
}

/** The index of the row that a key moves to; undefined for a key that the text field handles. */
function nextIndex(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const steps: Record<string, number> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  return steps[key];
}

/** Announces the state of the search: in progress, the number of results, or what to search for. */
function SearchStatus({
  query,
  count,
  isSlow,
  isAnswered,
  found,
}: {
  query: string;
  count: number;
  isSlow: boolean;
  isAnswered: boolean;
  found: readonly unknown[];
}): ReactElement {
  const t = useT();
  const isEmpty = query.trim() === '';
  const hasNone = isAnswered && found.length === 0;
  return (
    <div className={styles.status} role="status">
      {isSlow && <p aria-busy="true">{t('search.searching')}</p>}
      {!isSlow && hasNone && <p>{t('search.nothing')}</p>}
      {!isSlow && (hasNone || isEmpty) && <p>{t('search.what')}</p>}
      {!isEmpty && !isSearchable(query) && count === 0 && <p>{t('validation.searchText')}</p>}
      {!isEmpty && count > 0 && <p className="visually-hidden">{t('search.count', { count })}</p>}
    </div>
  );
}
