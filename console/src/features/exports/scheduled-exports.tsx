import { exportScheduleEndpoints } from '@hengfu/contract/export-schedules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { Filled } from '../../ui/filled.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './exports.module.css';

const schedulesOptions = reading(exportScheduleEndpoints.list);

/** Lists the scheduled exports. Renders nothing if there are none. */
export function ScheduledExports(): ReactElement | null {
  const t = useT();
  const client = useQueryClient();
  const { data: schedules } = useQuery(schedulesOptions);
  useLive(['exports'], schedulesOptions.queryKey);
  const remove = useMutation({
    mutationFn: (id: string) => call(exportScheduleEndpoints.remove, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: schedulesOptions.queryKey }),
  });
  if (!schedules || schedules.length === 0) return null;
  return (
    <Section isCard title={t('exports.schedules')}>
      <ul className={styles.schedules}>
        {schedules.map(({ id, list, format, every, nextAt }) => {
          const name = t(`exports.lists.${list}`);
          return (
            <li key={id}>
              <span>
                {name} · {format.toUpperCase()}
              </span>
              <span>{t(`exports.periods.${every}`)}</span>
              <span className={styles.reason}>
                <Filled phrase={(value) => t('ui.labelled', { label: t('exports.nextAt'), value })}>
                  <TimeText at={nextAt} style="minute" />
                </Filled>
              </span>
              <HasPerm any={['exports.create']}>
                <Button
                  aria-label={t('exports.removeSchedule', { list: name })}
                  onClick={() => remove.mutate(id)}
                >
                  {t('exports.remove')}
                </Button>
              </HasPerm>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
