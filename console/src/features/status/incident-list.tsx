import type { StatusIncident } from '@hengfu/contract/status';
import { formatDay, formatDuration, formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import styles from './incident-list.module.css';
import { byDay } from './status.rules.ts';
import { endedLook, nameOf, openLooks, stateLooks } from './status-looks.ts';

/** The incidents by day, newest first. */
export function IncidentList({
  incidents,
  zone,
}: {
  incidents: readonly StatusIncident[];
  zone: string;
}): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <Section isCard title={t('status.incidents.title')}>
      {incidents.length === 0 && <p className={styles.none}>{t('status.incidents.none')}</p>}
      {byDay(incidents, zone).map(({ day, incidents: ofDay }) => (
        <section key={day} className={styles.day}>
          <h3>{formatDay(day, language)}</h3>
          <ul>
            {ofDay.map((incident) => (
              <Incident key={incident.id} incident={incident} zone={zone} />
            ))}
          </ul>
        </section>
      ))}
    </Section>
  );
}

function Incident({ incident, zone }: { incident: StatusIncident; zone: string }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { component, impact, title, startedAt, endedAt, end, updates } = incident;
  const start = formatInstant(startedAt, zone, language, 'minute');
  const span =
    endedAt === null
      ? t('status.incidents.from', { start })
      : t('status.incidents.range', {
          start,
          end: formatInstant(endedAt, zone, language, 'minute'),
          duration: formatDuration(Date.parse(endedAt) - Date.parse(startedAt), language),
        });
  const name = component && nameOf(component, t);
  const state = t(stateLooks[impact].label);
  return (
    <li>
      <div className={styles.head}>
        <h4>{title ?? t('status.incidents.bySamples', { component: name ?? '', state })}</h4>
        <StatusTag look={endedAt === null ? openLooks[impact] : endedLook} />
      </div>
      <p className={styles.span}>
        {title !== null &&
          name !== null &&
          `${t('status.incidents.bySamples', { component: name, state })} · `}
        {span}
      </p>
      {end === 'unwatched' && <p>{t('status.incidents.unwatched')}</p>}
      {end === 'recovered' && <p>{t('status.incidents.recovered')}</p>}
      {updates.length > 0 && (
        <ul className={styles.updates}>
          {updates.map(({ at, stage, text }) => (
            <li key={at}>
              <p className={styles.span}>
                <strong>{t(stage ? `status.incidents.stage.${stage}` : 'status.incidents.note')}</strong>{' '}
                <TimeText at={at} style="minute" />
              </p>
              <p className={styles.words}>{text}</p>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
