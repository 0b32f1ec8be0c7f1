import { type ReactElement, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Checkbox } from '../controls/checkbox.tsx';
import { RadioGroup } from '../controls/radio.tsx';
import { useT } from '../language/i18n.ts';
import styles from './filters.module.css';
import type { ListColumn } from './list-types.ts';
import type { ColumnChoice } from './use-columns.ts';
import { type Density, type DensityChoice, densities } from './use-density.ts';
import { type ColumnWidths, type Widths, widthLimits } from './use-widths.ts';

export interface ColumnFormProps<R> {
  columns: readonly ListColumn<R>[];
  choice: ColumnChoice;
  widths: ColumnWidths;
  density: DensityChoice;
  /** Reads the widths on screen; empty if the rows are not in a table. */
  measure: () => Widths;
}

/** Shows and hides columns, sets their widths and the space around the rows; the order of columns is fixed. */
export function ColumnForm<R>(props: ColumnFormProps<R>): ReactElement {
  const { columns, choice, widths, density, measure } = props;
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
      <RadioGroup<Density>
        label={t('ui.density.label')}
        choices={densities.map((value) => ({ value, label: t(`ui.density.${value}`) }))}
        value={density.chosen}
        onChange={density.choose}
        isRow
      />
      <Button
        disabled={choice.isDefault && !widths.isSized && density.chosen === densities[0]}
        onClick={() => {
          choice.reset();
          widths.reset();
          density.choose(densities[0]);
          // After the table has its own widths again.
          requestAnimationFrame(() => setShown(measure()));
        }}
      >
        {t('ui.columnsReset')}
      </Button>
    </div>
  );
}
