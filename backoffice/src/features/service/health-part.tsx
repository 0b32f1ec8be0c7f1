import { countedJobs, healthEndpoints, type ServiceHealth } from '@hengfu/contract/staff/health';
import { formatCount, formatDuration, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';

const refetchMs = 15_000;
const secondMs = 1000;

/** The state of job queues, ledger proofs, seals and backups. */
export function HealthPart(): ReactElement {
  const { data, error, refetch } = useQuery({
    ...reading(healthEndpoints.get),
    refetchInterval: refetchMs,
  });
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Queues queues={data.queues} />
          <Proofs proofs={data.proofs} />
          <Seals health={data} />
          <Backups health={data} />
        </>
      )}
    </>
  );
}

function Queues({ queues }: Pick<ServiceHealth, 'queues'>): ReactElement {
  const t = useT();
  const language = useLanguage();
  const count = (jobs: number) => formatCount(jobs, language) + (jobs === countedJobs ? '+' : '');
  return (
    <Section title={t('officeService.queues')} isCard>
      <p className={table.note}>
        {t('officeService.queuesText', { count: formatCount(countedJobs, language) })}
      </p>
      <TableBox label={t('officeService.queues')}>
        <thead>
          <tr>
            <th>{t('officeService.queue')}</th>
            <th data-number>{t('officeService.waiting')}</th>
            <th data-number>{t('officeService.oldest')}</th>
            <th data-number>{t('officeService.running')}</th>
            <th data-number>{t('officeService.failed')}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ queue, waiting, oldestSeconds, running, failed }) => (
            <tr key={queue}>
              <td>{t(`officeService.queueNames.${queue}`)}</td>
              <td data-number>{count(waiting)}</td>
              <td data-number>
                {oldestSeconds === null ? nothing : formatDuration(oldestSeconds * secondMs, language)}
              </td>
              <td data-number>{count(running)}</td>
              <td data-number>{count(failed)}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
    </Section>
  );
}

function Proofs({ proofs }: Pick<ServiceHealth, 'proofs'>): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <Section title={t('officeService.proofs')} isCard>
      <p className={table.note}>{t('officeService.proofsText')}</p>
      {proofs.length === 0 && <p>{t('officeService.noProofs')}</p>}
      {proofs.length > 0 && (
        <TableBox label={t('officeService.proofs')}>
          <thead>
            <tr>
              <th>{t('officeService.ended')}</th>
              <th>{t('officeService.result')}</th>
              <th data-number>{t('officeService.duration')}</th>
            </tr>
          </thead>
          <tbody>
            {proofs.map(({ begunAt, endedAt, violations }) => (
              <tr key={endedAt}>
                <td>
                  <TimeText at={endedAt} />
                </td>
                <td>
                  {violations === 0 ? (
                    <StatusTag
                      look={{ label: 'officeService.proofGood', tone: 'good', icon: 'circleCheck' }}
                    />
                  ) : (
                    <span className={table.late}>{t('officeService.proofBad', { count: violations })}</span>
                  )}
                </td>
                <td data-number>{formatDuration(Date.parse(endedAt) - Date.parse(begunAt), language)}</td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function Seals({ health: { seal } }: { health: ServiceHealth }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { number, sealedAt, unsealedSeconds } = seal;
  return (
    <Section title={t('officeService.seals')} isCard>
      <Fields
        fields={[
          { label: t('officeService.sealNumber'), value: number },
          { label: t('officeService.sealedAt'), value: <TimeText at={sealedAt} /> },
          {
            label: t('officeService.unsealed'),
            value:
              unsealedSeconds === 0
                ? t('officeService.allSealed')
                : formatDuration(unsealedSeconds * secondMs, language),
          },
        ]}
      />
    </Section>
  );
}

function Backups({ health }: { health: ServiceHealth }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { lastBackupAt, lastBaseAt, waitingSegments, lastWalAt, walFailures } = health.backups;
  const age = (at: string | null, absent = t('officeService.unknown')) => {
    if (at === null) return absent;
    const duration = formatDuration(Math.max(Date.parse(health.at) - Date.parse(at), 0), language);
    return (
      <>
        <TimeText at={at} /> · {t('officeService.ago', { duration })}
      </>
    );
  };
  const count = (value: number | null) =>
    value === null ? t('officeService.unknown') : formatCount(value, language);
  return (
    <Section title={t('officeService.backups')} isCard>
      <p className={table.note}>{t('officeService.backupsText')}</p>
      <Fields
        fields={[
          { label: t('officeService.lastBackup'), value: age(lastBackupAt, t('officeService.none')) },
          { label: t('officeService.lastBase'), value: age(lastBaseAt) },
          { label: t('officeService.waitingSegments'), value: count(waitingSegments) },
          { label: t('officeService.lastWal'), value: age(lastWalAt) },
          { label: t('officeService.walFailures'), value: count(walFailures) },
        ]}
      />
    </Section>
  );
}
