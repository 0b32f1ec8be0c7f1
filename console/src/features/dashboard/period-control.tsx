import { type DashboardQuery, dashboardPeriods } from '@hengfu/contract/dashboard';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { addDays } from '@hengfu/ui/language/zone.ts';
import { DateField } from '@hengfu/ui/overlays/date-field.tsx';
import { type ReactElement, useId } from 'react';
import styles from './dashboard-page.module.css';
import type { DashboardSearch } from './dashboard-search.ts';

interface PeriodControlProps {
  /** As in the address, valid or not. */
  search: DashboardSearch;
  /** Today in the merchant's zone. */
  today: string;
  onChange: (search: DashboardSearch) => void;
}

/** Days of a range before its ends are chosen. */
const firstRangeDays = 7;

/** Chooses the period: today, the last days, or a range of its own. */
export function PeriodControl({ search, today, onChange }: PeriodControlProps): ReactElement {
  const t = useT();
  const id = useId();
  const { period: chosen = 'today', from = '', to = '' } = search;
  const choose = (period: DashboardQuery['period']) => {
    if (period === 'today') onChange({});
    else if (period !== 'range') onChange({ period });
    else if (chosen !== 'range') onChange({ period, from: addDays(today, 1 - firstRangeDays), to: today });
  };
  return (
    <div className={styles.controls}>
      <fieldset className={styles.periods}>
        <legend className="visually-hidden">{t('dashboard.period.label')}</legend>
        {dashboardPeriods.map((period) => (
          <Button key={period} aria-pressed={period === chosen} onClick={() => choose(period)}>
            {period === 'today' ? t('dashboard.today') : t(`dashboard.period.${period}`)}
          </Button>
        ))}
      </fieldset>
      {chosen === 'range' &&
        (['from', 'to'] as const).map((name) => (
          <div key={name} className={styles.end}>
            <label htmlFor={`${id}-${name}`}>{t(`dashboard.period.${name}`)}</label>
            <DateField
              id={`${id}-${name}`}
              label={t(`dashboard.period.${name}`)}
              value={name === 'from' ? from : to}
              today={today}
              onChange={(day) => onChange({ period: 'range', from, to, [name]: day })}
            />
          </div>
        ))}
    </div>
  );
}
