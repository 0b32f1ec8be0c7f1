import { type ChannelCode, channelCodes } from '@hengfu/contract/channels';
import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import type { StatementDay } from '@hengfu/contract/staff/statement-days';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { formatDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { dayLooks } from './looks.ts';
import styles from './reconciliation.module.css';
import { UploadDialog } from './upload/upload-dialog.tsx';

/** The latest days of each channel, with their figures. */
export function ReconciliationPage(): ReactElement {
  const t = useT();
  const canWrite = useHasPerm('reconciliation.write');
  const [channel, setChannel] = useState<ChannelCode | ''>('');
  const [isUploading, setUploading] = useState(false);
  const { data, error, refetch } = useQuery(reading(reconciliationEndpoints.days));
  useLive(['reconciliation'], [reconciliationEndpoints.days.path]);
  const days = data?.filter((day) => channel === '' || day.channel === channel);
  return (
    <Page title={t('office.reconciliation')} intro={t('officeReconciliation.intro')}>
      <Section
        title={t('officeReconciliation.days')}
        isCard
        extra={
          <div className={styles.tools}>
            <Select
              aria-label={t('officeReconciliation.channel')}
              value={channel}
              onChange={({ target }) => setChannel(channelCodes.find((code) => code === target.value) ?? '')}
            >
              <option value="">{t('officeReconciliation.allChannels')}</option>
              {channelCodes.map((code) => (
                <option key={code} value={code}>
                  {t(`channels.${code}`)}
                </option>
              ))}
            </Select>
            {canWrite && (
              <Button look="primary" onClick={() => setUploading(true)}>
                {t('officeReconciliation.upload')}
              </Button>
            )}
          </div>
        }
      >
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {days?.length === 0 && <p className={table.note}>{t('officeReconciliation.noDays')}</p>}
        {days && days.length > 0 && (
          <TableBox label={t('officeReconciliation.days')}>
            <thead>
              <tr>
                <th>{t('officeReconciliation.day')}</th>
                <th>{t('officeReconciliation.channel')}</th>
                <th>{t('officeReconciliation.stateLabel')}</th>
                <th data-number>{t('officeReconciliation.lineCount')}</th>
                <th data-number>{t('officeReconciliation.statement')}</th>
                <th data-number>{t('officeReconciliation.clearing')}</th>
                <th data-number>{t('officeReconciliation.difference')}</th>
                <th data-number>{t('officeReconciliation.unresolved')}</th>
              </tr>
            </thead>
            <tbody>
              {days.map((day) => (
                <DayRow key={`${day.channel} ${day.day}`} day={day} />
              ))}
            </tbody>
          </TableBox>
        )}
      </Section>
      {isUploading && <UploadDialog channel={channel} onClose={() => setUploading(false)} />}
    </Page>
  );
}

function DayRow({ day }: { day: StatementDay }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <tr>
      <td>
        {day.state === 'missing' ? (
          formatDay(day.day, language)
        ) : (
          <Link to="/reconciliation" search={{ channel: day.channel, day: day.day }}>
            {formatDay(day.day, language)}
          </Link>
        )}
      </td>
      <td>{t(`channels.${day.channel}`)}</td>
      <td>
        <StatusTag look={dayLooks[day.state]} />
      </td>
      <td data-number>{day.state !== 'missing' && <Count of={day.lines} />}</td>
      {([day.statement, day.clearing, day.difference] as const).map((amount, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three fixed columns
        <td key={at} data-number>
          {amount !== null && <Money amount={amount} currency={day.currency} />}
        </td>
      ))}
      <td data-number>{day.unresolved > 0 && <Count of={day.unresolved} />}</td>
    </tr>
  );
}
