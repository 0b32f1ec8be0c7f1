import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { channelText } from '@hengfu/ui/orders/channel-name.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reading } from '../../../platform/reading.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';

/** The latest actions of the back office and of operators that concern a merchant. */
export function ActionsPart({ code }: { code: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(reading(staffMerchantEndpoints.actions, { params: { code } }));
  return (
    <Section title={t('officeMerchants.tabs.actions')} isCard>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={table.note}>{t('officeMerchants.noActions')}</p>}
      {data && data.length > 0 && (
        <TableBox label={t('officeMerchants.tabs.actions')}>
          <thead>
            <tr>
              <th>{t('officeMerchants.at')}</th>
              <th>{t('officeMerchants.action')}</th>
              <th>{t('officeMerchants.subject')}</th>
              <th>{t('officeMerchants.by')}</th>
              <th>{t('officeMerchants.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, at, action, subject, by, reason }) => (
              <tr key={id}>
                <td>
                  <TimeText at={at} />
                </td>
                <td>{t(`auditLog.actions.${action}`)}</td>
                <td>{subject === null ? nothing : channelText(subject, t)}</td>
                <td>{by}</td>
                <td data-long>{reason ?? nothing}</td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}
