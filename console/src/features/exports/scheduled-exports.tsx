import { exportScheduleEndpoints } from '@hengfu/contract/export-schedules';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Filled } from '@hengfu/ui/values/filled.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { HasPerm } from '../../platform/session-store.ts';
import styles from './exports.module.css';
import { FilterLines } from './filter-lines.tsx';
import { StopSchedule } from './stop-schedule.tsx';

const schedulesOptions = reading(exportScheduleEndpoints.list);

/** Lists the scheduled exports. Renders nothing if there are none. */
export function ScheduledExports(): ReactElement | null {
  const t = useT();
  const { data: schedules } = useQuery(schedulesOptions);
  useLive(['exports'], schedulesOptions.queryKey);
  if (!schedules || schedules.length === 0) return null;
  return (
    <Section isCard title={t('exports.schedules')}>
      <ul className={styles.schedules}>
        {schedules.map((schedule) => {
          const { id, name, list, format, every, nextAt } = schedule;
          const facts = [t(`exports.lists.${list}`), format.toUpperCase(), t(`exports.periods.${every}`)];
          return (
            <li key={id}>
              <span className={styles.lines}>
                <strong>{name}</strong>
                <span className={styles.reason}>{facts.join(' · ')}</span>
              </span>
              <FilterLines of={schedule} />
              <span className={styles.reason}>
                <Filled phrase={(value) => t('ui.labelled', { label: t('exports.nextAt'), value })}>
                  <TimeText at={nextAt} style="minute" />
                </Filled>
              </span>
              <HasPerm any={['exports.create']}>
                <StopSchedule schedule={schedule} />
              </HasPerm>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
