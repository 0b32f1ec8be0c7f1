import { type StaffIncident, staffIncidentEndpoints } from '@hengfu/contract/staff/incidents';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../../platform/live.ts';
import { reading } from '../../../platform/reading.ts';
import { useHasPerm } from '../../../platform/session.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import styles from '../service.module.css';
import { nameOf } from './component-name.ts';
import { ReportDialog, ResolveDialog, UpdateDialog } from './incident-dialogs.tsx';

const looks = {
  degraded: { label: 'status.state.degraded', tone: 'waiting', icon: 'alert' },
  down: { label: 'status.state.down', tone: 'bad', icon: 'circleCross' },
  over: { label: 'status.incidents.over', tone: 'calm', icon: 'circleCheck' },
} as const satisfies Record<string, StatusLook>;

/** The incidents of 90 days, as merchants read them, in all languages. */
export function IncidentsPart(): ReactElement {
  const t = useT();
  const canWrite = useHasPerm('incidents.write');
  const [isReporting, setReporting] = useState(false);
  const { data, error, refetch } = useQuery(reading(staffIncidentEndpoints.list));
  useLive(['service'], [staffIncidentEndpoints.list.path]);
  return (
    <>
      <Section
        title={t('officeService.incidents')}
        extra={
          canWrite && (
            <Button look="primary" onClick={() => setReporting(true)}>
              {t('officeService.report')}
            </Button>
          )
        }
        isCard
      >
        <p className={table.note}>{t('officeService.incidentsText')}</p>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && <p>{t('officeService.noIncidents')}</p>}
      </Section>
      {data?.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} canWrite={canWrite} />
      ))}
      {isReporting && canWrite && <ReportDialog onClose={() => setReporting(false)} />}
    </>
  );
}

function IncidentCard({ incident, canWrite }: { incident: StaffIncident; canWrite: boolean }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUiSettings();
  const [dialog, setDialog] = useState<'update' | 'resolve'>();
  const { id, component, impact, title, source, startedAt, endedAt, updates } = incident;
  const isOpen = endedAt === null;
  const close = () => setDialog(undefined);
  const componentName = component && nameOf(component, t);
  return (
    <Section
      title={title?.en ?? `${componentName}: ${t(`status.state.${impact}`)}`}
      extra={<StatusTag look={isOpen ? looks[impact] : looks.over} />}
      isCard
    >
      <p className={styles.line}>
        <span>{componentName ?? t('officeService.noComponent')}</span>
        <span className={styles.muted}>
          {t(source === 'samples' ? 'officeService.bySamples' : 'officeService.byHand')}
        </span>
        <TimeText at={startedAt} style="minute" />
        <span className={styles.muted}>
          {isOpen
            ? t('officeService.ongoing')
            : t('officeService.over', { time: formatInstant(endedAt, zone, language, 'minute') })}
        </span>
      </p>
      <Translations text={title} />
      {updates.length > 0 && (
        <ol className={styles.updates} aria-label={t('officeService.updates')}>
          {updates.map(({ at, stage, text }) => (
            <li key={at} className={styles.update}>
              <p className={styles.line}>
                <strong>{t(stage ? `status.incidents.stage.${stage}` : 'status.incidents.note')}</strong>
                <TimeText at={at} style="minute" />
              </p>
              <p className={styles.text}>{text.en}</p>
              <Translations text={text} />
            </li>
          ))}
        </ol>
      )}
      {canWrite && (
        <div className={styles.buttons}>
          <Button onClick={() => setDialog('update')}>{t('officeService.update')}</Button>
          {isOpen && source === 'operator' && (
            <Button onClick={() => setDialog('resolve')}>{t('officeService.resolve')}</Button>
          )}
        </div>
      )}
      {dialog === 'update' && <UpdateDialog id={id} onClose={close} />}
      {dialog === 'resolve' && <ResolveDialog id={id} onClose={close} />}
    </Section>
  );
}

/** The translations of a text, under its English. */
function Translations({ text }: { text: StaffIncident['title'] }): ReactElement | null {
  if (!text) return null;
  return (
    <>
      {(['zh-cn', 'vi'] as const).map(
        (language) =>
          text[language] && (
            <p key={language} className={styles.text} lang={language}>
              <span className={styles.muted}>{text[language]}</span>
            </p>
          ),
      )}
    </>
  );
}
