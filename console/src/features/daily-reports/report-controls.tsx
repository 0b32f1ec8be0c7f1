import { type DailyReportQuery, utcOffsets } from '@hengfu/contract/daily-reports';
import { type ReactElement, type ReactNode, useId } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { addDays } from '../../ui/zone.ts';
import styles from './daily-reports.module.css';
import { type ReportSearch, todayAt } from './report-search.ts';

interface ReportControlsProps {
  query: DailyReportQuery;
  other: string | undefined;
  nowMs: number;
  onChange: (changes: ReportSearch) => void;
}

const spans = [
  { days: 7, label: 'dailyReports.days7' },
  { days: 30, label: 'dailyReports.days30' },
  { days: 90, label: 'dailyReports.days90' },
  { days: 365, label: 'dailyReports.days365' },
] as const;

/** Chooses the days, the UTC offset, and another offset to compare with. */
export function ReportControls({ query, other, nowMs, onChange }: ReportControlsProps): ReactElement {
  const t = useT();
  const { offset, from, to } = query;
  const today = todayAt(offset, nowMs);
  return (
    <div className={styles.controls}>
      <Control label={t('dailyReports.offset')}>
        {(id) => <OffsetSelect id={id} value={offset} onChange={(chosen) => onChange({ offset: chosen })} />}
      </Control>
      {(['from', 'to'] as const).map((name) => (
        <Control key={name} label={t(`dailyReports.${name}`)}>
          {(id) => (
            <input
              id={id}
              type="date"
              required
              value={query[name]}
              onChange={({ target }) => {
                if (target.validity.valid) onChange({ from, to, [name]: target.value });
              }}
            />
          )}
        </Control>
      ))}
      <fieldset className={styles.spans}>
        <legend className="visually-hidden">{t('dailyReports.spans')}</legend>
        {spans.map(({ days, label }) => {
          const first = addDays(today, 1 - days);
          return (
            <Button
              key={days}
              aria-pressed={from === first && to === today}
              onClick={() => onChange({ from: first, to: today })}
            >
              {t(label)}
            </Button>
          );
        })}
      </fieldset>
      <Control label={t('dailyReports.other')}>
        {(id) => (
          <OffsetSelect id={id} value={other} onChange={(chosen) => onChange({ other: chosen })} isOptional />
        )}
      </Control>
    </div>
  );
}

function Control({ label, children }: { label: string; children: (id: string) => ReactNode }): ReactElement {
  const id = useId();
  return (
    <div className={styles.control}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface OffsetSelectProps {
  id: string;
  value: string | undefined;
  onChange: (offset: string | undefined) => void;
  isOptional?: boolean;
}

function OffsetSelect({ id, value, onChange, isOptional = false }: OffsetSelectProps): ReactElement {
  const t = useT();
  return (
    <select id={id} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
      {isOptional && <option value="">{t('dailyReports.none')}</option>}
      {utcOffsets.map((offset) => (
        <option key={offset} value={offset}>
          UTC{offset}
        </option>
      ))}
    </select>
  );
}
