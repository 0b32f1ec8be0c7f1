import { type Exclusion, maxExclusionReason } from '@hengfu/contract/approvals';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { fieldsAlone } from '../../shared/forms/fields-alone.ts';
import styles from './approvals.module.css';

interface ExcludedRowsProps {
  excluded: readonly Exclusion[];
  /** How many rows the batch has. */
  rows: number;
  onExclude: (line: number) => void;
  onChange: (excluded: readonly Exclusion[]) => void;
}

/** The rows that the user excludes, each with its reason, and a field for rows that are not on screen. */
export function ExcludedRows({ excluded, rows, onExclude, onChange }: ExcludedRowsProps): ReactElement {
  const t = useT();
  const [number, setNumber] = useState('');
  const line = /^\d{1,6}$/.test(number) ? Number(number) : 0;
  const change = (of: number, reason: string) =>
    onChange(excluded.map((row) => (row.line === of ? { ...row, reason } : row)));
  return (
    <>
      {excluded.map((row) => (
        <div key={row.line} className={styles.exclusion}>
          <TextField
            form={fieldsAlone}
            name={`excluded-${row.line}`}
            label={t('approvals.excludeReason', { line: row.line })}
            maxLength={maxExclusionReason}
            autoComplete="off"
            value={row.reason}
            onChange={({ target }) => change(row.line, target.value)}
          />
          <Button onClick={() => onChange(excluded.filter((other) => other !== row))}>
            {t('approvals.keepRow', { line: row.line })}
          </Button>
        </div>
      ))}
      <div className={styles.exclusion}>
        <TextField
          form={fieldsAlone}
          name="excluded-line"
          label={t('approvals.excludeLine')}
          inputMode="numeric"
          autoComplete="off"
          value={number}
          onChange={({ target }) => setNumber(target.value)}
        />
        <Button
          disabled={line < 1 || line > rows}
          onClick={() => {
            onExclude(line);
            setNumber('');
          }}
        >
          {t('approvals.exclude')}
        </Button>
      </div>
    </>
  );
}
