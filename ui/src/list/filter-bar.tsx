import type { ReactElement } from 'react';
import { onDemand } from '../browser/on-demand.tsx';
import { Button, IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useNarrow } from '../controls/use-narrow.ts';
import { useT } from '../language/i18n.ts';
import { Popover } from '../overlays/popover.tsx';
import { Filled } from '../values/filled.tsx';
import { ChoiceForm } from './choice-form.tsx';
import { useFilterText } from './filter-text.ts';
import styles from './filters.module.css';
import { clearedFilters, isFiltered, namesOf } from './list-search.ts';
import type { ChangeSearch, ListFilter, ListSearch } from './list-types.ts';
import { NumberSearch } from './number-search.tsx';
import { InlineTextFilter, TextForm } from './text-filter.tsx';

// They load on first use.
const AmountForm = onDemand(() => import('./range-forms.ts').then((forms) => forms.AmountForm), <Waiting />);
const DaysForm = onDemand(() => import('./range-forms.ts').then((forms) => forms.DaysForm), <Waiting />);

function Waiting(): ReactElement {
  return <p aria-busy="true">{useT()('ui.loading')}</p>;
}

interface FilterBarProps {
  filters: readonly ListFilter[];
  search: ListSearch;
  change: ChangeSearch;
}

/** The filters of a list: inline search fields, and chips that show the current value and open a form. */
export function FilterBar({ filters, search, change }: FilterBarProps): ReactElement {
  const t = useT();
  const isNarrow = useNarrow();
  const inline = filters.flatMap((filter) => (filter.kind === 'text' && filter.isInline ? [filter] : []));
  return (
    <search className={styles.bar} aria-label={t('ui.filters')}>
      {isNarrow && inline.length > 1 ? (
        <NumberSearch filters={inline} search={search} change={change} />
      ) : (
        inline.map((filter) => (
          <InlineTextFilter key={filter.name} filter={filter} value={search[filter.name]} change={change} />
        ))
      )}
      <div className={styles.chips}>
        {filters
          .filter((filter) => !(filter.kind === 'text' && filter.isInline))
          .map((filter) => (
            <FilterChip key={namesOf(filter)[0]} filter={filter} search={search} change={change} />
          ))}
      </div>
      {isFiltered(filters, search) && (
        <Button look="quiet" onClick={() => change(clearedFilters(filters))}>
          {t('ui.clearFilters')}
        </Button>
      )}
    </search>
  );
}

interface FilterChipProps {
  filter: ListFilter;
  search: ListSearch;
  change: ChangeSearch;
}

function FilterChip({ filter, search, change }: FilterChipProps): ReactElement {
  const t = useT();
  const label = t(filter.label);
  const value = useFilterText()(filter, search);
  return (
    <div className={styles.chip} data-set={value !== undefined}>
      <Popover
        label={label}
        openerClass={styles.opener}
        opener={
          <>
            <span>
              {value === undefined ? (
                label
              ) : (
                <Filled phrase={(chosen) => t('ui.labelled', { label, value: chosen })}>
                  <strong>{value}</strong>
                </Filled>
              )}
            </span>
            {value === undefined && <Icon name="chevronDown" size={14} />}
          </>
        }
      >
        {(close) => (
          <FilterForm
            filter={filter}
            search={search}
            apply={(changes) => {
              close();
              change(changes);
            }}
          />
        )}
      </Popover>
      {value !== undefined && (
        <IconButton
          icon="close"
          label={t('ui.clearFilter', { name: label })}
          onClick={() => change(clearedFilters([filter]))}
        />
      )}
    </div>
  );
}

function FilterForm({
  filter,
  search,
  apply,
}: {
  filter: ListFilter;
  search: ListSearch;
  apply: ChangeSearch;
}): ReactElement {
  switch (filter.kind) {
    case 'text':
      return <TextForm filter={filter} value={search[filter.name]} apply={apply} />;
    case 'choice':
      return <ChoiceForm filter={filter} value={search[filter.name]} apply={apply} />;
    case 'days':
      return <DaysForm filter={filter} from={search[filter.from]} to={search[filter.to]} apply={apply} />;
    case 'amount':
      return <AmountForm filter={filter} from={search[filter.from]} to={search[filter.to]} apply={apply} />;
  }
}
