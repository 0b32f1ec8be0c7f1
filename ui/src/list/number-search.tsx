import type { ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { useT } from '../language/i18n.ts';
import styles from './filters.module.css';
import type { ChangeSearch, FilterOfKind, ListSearch } from './list-types.ts';
import { filterForNumber } from './number-kind.ts';
import { SearchField } from './text-filter.tsx';

interface NumberSearchProps {
  filters: readonly FilterOfKind<'text'>[];
  search: ListSearch;
  change: ChangeSearch;
}

/**
 * One search field for several numbers, for a narrow screen: it tells our numbers from the merchant's by their form, says which
 * one it looks for, and offers the other.
 */
export function NumberSearch({ filters, search, change }: NumberSearchProps): ReactElement {
  const t = useT();
  const used = filters.find(({ name }) => search[name] !== undefined);
  const value = used ? (search[used.name] ?? '') : '';
  const searchBy = (filter: FilterOfKind<'text'> | undefined, text: string) =>
    change({
      ...Object.fromEntries(filters.map(({ name }) => [name, undefined])),
      ...(filter && { [filter.name]: text || undefined }),
    });
  return (
    <>
      <SearchField
        label={filters.map(({ label }) => t(label)).join(' / ')}
        // Once a number is set, the other choice stands in the hint's place.
        hint={used ? '' : t('ui.findsNumber')}
        prompt={filters[0]?.prompt}
        value={value}
        onSearch={(text) => searchBy(filterForNumber(filters, text), text)}
      />
      {used &&
        filters
          .filter((filter) => filter !== used)
          .map((filter) => (
            <Button
              key={filter.name}
              look="quiet"
              className={styles.other}
              onClick={() => searchBy(filter, value)}
            >
              {t('ui.searchAs', { label: t(filter.label) })}
            </Button>
          ))}
    </>
  );
}
