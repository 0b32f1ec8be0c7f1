import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../button.tsx';
import styles from './filters.module.css';
import type { ListColumn } from './list-types.ts';
import type { ColumnChoice } from './use-columns.ts';

/** Shows and hides columns; their order is fixed. */
export function ColumnForm<R>({
  columns,
  choice,
}: {
  columns: readonly ListColumn<R>[];
  choice: ColumnChoice;
}): ReactElement {
  const t = useT();
  return (
    <div className={styles.form}>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{t('ui.columns')}</legend>
        {columns.map((column) => (
          <label key={column.key}>
            <input
              type="checkbox"
              checked={choice.isShown(column)}
              disabled={column.isFixed}
              onChange={() => choice.toggle(column)}
            />
            {t(column.title)}
          </label>
        ))}
      </fieldset>
      <Button disabled={choice.isDefault} onClick={choice.reset}>
        {t('ui.columnsReset')}
      </Button>
    </div>
  );
}
