import { type DailyReportQuery, utcOffsets } from '@hengfu/contract/daily-reports';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { addDays } from '@hengfu/ui/language/zone.ts';
import { Combobox } from '@hengfu/ui/overlays/combobox.tsx';
import { DateField } from '@hengfu/ui/overlays/date-field.tsx';
import { type ReactElement, type ReactNode, useId } from 'react';
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
        {(id) => (
          <OffsetChoice
            id={id}
            label={t('dailyReports.offset')}
            value={offset}
            onChange={(chosen) => onChange({ offset: chosen })}
          />
        )}
      </Control>
      {(['from', 'to'] as const).map((name) => (
        <Control key={name} label={t(`dailyReports.${name}`)}>
          {(id) => (
            <DateField
              id={id}
              label={t(`dailyReports.${name}`)}
              value={query[name]}
              today={today}
              onChange={(day) => onChange({ from, to, [name]: day })}
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
          <OffsetChoice
            id={id}
            label={t('dailyReports.other')}
            value={other}
            onChange={(chosen) => onChange({ other: chosen })}
            isOptional
          />
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

interface OffsetChoiceProps {
  id: string;
  label: string;
  value: string | undefined;
  onChange: (offset: string | undefined) => void;
  isOptional?: boolean;
}

function OffsetChoice({ id, label, value, onChange, isOptional = false }: OffsetChoiceProps): ReactElement {
  const t = useT();
  const none = t('dailyReports.none');
  return (
    <Combobox
      id={id}
      label={label}
      className={styles.offset}
      value={value ?? ''}
      placeholder={none}
      onChange={(offset) => onChange(offset || undefined)}
      options={[
        ...(isOptional ? [{ value: '', label: none }] : []),
        ...utcOffsets.map((offset) => ({ value: offset, label: `UTC${offset}` })),
      ]}
    />
  );
}
