import type { Dashboard } from '@hengfu/contract/dashboard';
import { type ReactElement, useMemo, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './trend.module.css';
import { TrendChart } from './trend-chart.tsx';
import { trendHours } from './trend-data.ts';
import { TrendTable } from './trend-table.tsx';

/** The day by the hour, as a chart or as a table. */
export function Trend({ data }: { data: Dashboard | undefined }): ReactElement {
  const t = useT();
  const [isTable, setTable] = useState(false);
  const hours = useMemo(() => data && trendHours(data), [data]);
  return (
    <Section
      isCard
      title={t('dashboard.trend')}
      extra={
        <Button icon={isTable ? 'trend' : 'table'} aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {t(isTable ? 'dashboard.showChart' : 'dashboard.showTable')}
        </Button>
      }
    >
      <div className={styles.stage} data-table={isTable}>
        {data && hours && isTable && <TrendTable hours={hours} currency={data.currency} />}
        {data && hours && !isTable && (
          <TrendChart hours={hours} currency={data.currency} today={data.today} />
        )}
      </div>
    </Section>
  );
}
