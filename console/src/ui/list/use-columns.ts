import { useMemo, useState } from 'react';
import { readStored, writeStored } from '../../platform/stored.ts';
import type { ListColumn } from './list-types.ts';

/** The reader's choice of columns: what differs from the default, so that columns to come take their own default. */
export interface ColumnChoice {
  isShown(column: { key: string; isOptional?: boolean; isFixed?: boolean }): boolean;
  toggle(column: { key: string; isOptional?: boolean }): void;
  reset(): void;
  /** Shows these and no others, as far as they can be hidden. */
  show(keys: readonly string[]): void;
  isDefault: boolean;
}

/** The keys whose visibility was turned round, as kept: `fee,net`. Keys that no longer exist do no harm. */
function readTurned(listName: string): ReadonlySet<string> {
  return new Set((readStored(`columns.${listName}`) ?? '').split(',').filter(Boolean));
}

/** Which columns of a list are shown, kept in this browser. */
export function useColumns<R>(
  listName: string,
  columns: readonly ListColumn<R>[],
): { shown: readonly ListColumn<R>[]; choice: ColumnChoice } {
  const [turned, setTurned] = useState(() => readTurned(listName));
  const choice = useMemo<ColumnChoice>(() => {
    const keep = (next: readonly string[]) => {
      writeStored(`columns.${listName}`, next.join(',') || undefined);
      setTurned(new Set(next));
    };
    return {
      isShown: ({ key, isOptional = false, isFixed }) => isFixed || isOptional === turned.has(key),
      toggle: ({ key }) =>
        keep(turned.has(key) ? [...turned].filter((other) => other !== key) : [...turned, key]),
      reset: () => keep([]),
      show: (keys) =>
        keep(
          columns
            .filter(({ key, isOptional = false, isFixed }) => !isFixed && keys.includes(key) === isOptional)
            .map(({ key }) => key),
        ),
      isDefault: turned.size === 0,
    };
  }, [listName, turned, columns]);
  // The same array while nothing changes: memoised rows compare it.
  const shown = useMemo(() => columns.filter(choice.isShown), [columns, choice]);
  return { shown, choice };
}
