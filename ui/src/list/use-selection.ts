import { useCallback, useMemo, useRef, useState } from 'react';

/** The rows that the user has marked, of those on screen. */
export interface Selection {
  keys: ReadonlySet<string>;
  /** Marks a row or clears its mark; with `isRange`, gives all rows since the last one the same mark. */
  toggle: (key: string, isRange: boolean) => void;
  /** Marks all rows, or none if all are marked. */
  toggleAll: () => void;
  clear: () => void;
}

const none: ReadonlySet<string> = new Set();

/** The selection of a page's rows. Another page, or other filters (`place`), begin with none. */
export function useSelection(shown: readonly string[], place: string): Selection {
  const [chosen, setChosen] = useState({ place, keys: none });
  const keys = useMemo(
    () => (chosen.place === place ? new Set(shown.filter((key) => chosen.keys.has(key))) : none),
    [chosen, place, shown],
  );
  const latest = useRef({ shown, keys, place, last: '' });
  latest.current = { ...latest.current, shown, keys, place };
  const set = useCallback((next: Iterable<string>) => {
    setChosen({ place: latest.current.place, keys: new Set(next) });
  }, []);
  // Stable, because memoized rows compare it.
  const toggle = useCallback(
    (key: string, isRange: boolean) => {
      const { shown, keys, last } = latest.current;
      const [from, to] = [isRange ? shown.indexOf(last) : -1, shown.indexOf(key)];
      const touched = from < 0 ? [key] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      const next = new Set(keys);
      for (const each of touched) {
        if (keys.has(key)) next.delete(each);
        else next.add(each);
      }
      latest.current.last = key;
      set(next);
    },
    [set],
  );
  const toggleAll = useCallback(() => {
    const { shown, keys } = latest.current;
    set(keys.size === shown.length ? [] : shown);
  }, [set]);
  const clear = useCallback(() => set([]), [set]);
  return useMemo(() => ({ keys, toggle, toggleAll, clear }), [keys, toggle, toggleAll, clear]);
}
