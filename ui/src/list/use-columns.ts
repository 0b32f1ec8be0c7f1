import { useMemo, useState } from 'react';
import { readOwnStored, writeOwnStored } from '../browser/stored.ts';
import type { ListColumn } from './list-types.ts';

/**
 * The user's choice of columns. Only differences from the default are stored, so new columns keep their
 * default.
 */
export interface ColumnChoice {
  isShown(column: { key: string; isOptional?: boolean; isFixed?: boolean }): boolean;
  toggle(column: { key: string; isOptional?: boolean }): void;
  reset(): void;
  /** Shows these columns, and hides all others that can be hidden. */
  show(keys: readonly string[]): void;
  isDefault: boolean;
}

/** Reads the keys of columns toggled from their default, stored as `fee,net`. Unknown keys are harmless. */
function readToggled(listName: string): ReadonlySet<string> {
  return new Set((readOwnStored(`columns.${listName}`) ?? '').split(',').filter(Boolean));
}

/** The shown columns of a list, and the user's choice, stored in this browser. */
export function useColumns<R>(
  listName: string,
  columns: readonly ListColumn<R>[],
): { shown: readonly ListColumn<R>[]; choice: ColumnChoice } {
  const [toggled, setToggled] = useState(() => readToggled(listName));
  const choice = useMemo<ColumnChoice>(() => {
    const save = (next: readonly string[]) => {
      writeOwnStored(`columns.${listName}`, next.join(',') || undefined);
      setToggled(new Set(next));
    };
    return {
      isShown: ({ key, isOptional = false, isFixed }) => isFixed || isOptional === toggled.has(key),
      toggle: ({ key }) =>
        save(toggled.has(key) ? [...toggled].filter((other) => other !== key) : [...toggled, key]),
      reset: () => save([]),
      show: (keys) =>
        save(
          columns
            .filter(({ key, isOptional = false, isFixed }) => !isFixed && keys.includes(key) === isOptional)
            .map(({ key }) => key),
        ),
      isDefault: toggled.size === 0,
    };
  }, [listName, toggled, columns]);
  // A stable array, because memoized rows compare it.
  const shown = useMemo(() => columns.filter(choice.isShown), [columns, choice]);
  return { shown, choice };
}
