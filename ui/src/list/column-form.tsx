import { type ReactElement, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Checkbox } from '../controls/checkbox.tsx';
import { useT } from '../language/i18n.ts';
import styles from './filters.module.css';
import type { ListColumn } from './list-types.ts';
import type { ColumnChoice } from './use-columns.ts';
import { type ColumnWidths, type Widths, widthLimits } from './use-widths.ts';

interface ColumnFormProps<R> {
  columns: readonly ListColumn<R>[];
  choice: ColumnChoice;
  widths: ColumnWidths;
  /** Reads the widths on screen; empty if the rows are not in a table. */
  measure: () => Widths;
}

/** Shows and hides columns, and resets their widths; their order is fixed. */
export function ColumnForm<R>({ columns, choice, widths, measure }: ColumnFormProps<R>): ReactElement {
  const t = useT();
  const [shown, setShown] = useState(measure);
  return (
    <div className={styles.form}>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{t('ui.columns')}</legend>
        {columns.map((column) => (
          <div key={column.key} className={styles.column}>
            <Checkbox
              checked={choice.isShown(column)}
              disabled={column.isFixed}
              onChange={() => choice.toggle(column)}
            >
              {t(column.title)}
            </Checkbox>
            {shown.size > 0 && choice.isShown(column) && (
              <input
                type="range"
                aria-label={t('ui.columnWidth', { title: t(column.title) })}
                min={widthLimits.least}
                max={widthLimits.most}
                step={8}
                value={
                  widths.isSized ? widths.widthOf(column.key) : (shown.get(column.key) ?? widthLimits.least)
                }
                onChange={(event) => widths.resize(column.key, event.target.valueAsNumber, measure())}
              />
            )}
          </div>
        ))}
      </fieldset>
      <Button
        disabled={choice.isDefault && !widths.isSized}
        onClick={() => {
          choice.reset();
          widths.reset();
          // After the table has its own widths again.
          requestAnimationFrame(() => setShown(measure()));
        }}
      >
        {t('ui.columnsReset')}
      </Button>
    </div>
  );
}
