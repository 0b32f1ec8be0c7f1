import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button, buttonClass } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { Popover } from '../popover.tsx';
import styles from './filters.module.css';
import type { ListColumn } from './list-types.ts';
import type { ColumnChoice } from './use-columns.ts';

/** Menu that shows and hides columns; their order is fixed. */
export function ColumnChooser<R>({
  columns,
  choice,
}: {
  columns: readonly ListColumn<R>[];
  choice: ColumnChoice;
}): ReactElement {
  const t = useT();
  return (
    <Popover
      label={t('ui.columns')}
      openerClass={buttonClass('outline')}
      opener={
        <>
          <Icon name="columns" />
          {t('ui.columns')}
        </>
      }
    >
      {() => (
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
      )}
    </Popover>
  );
}
