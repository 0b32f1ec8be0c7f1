import type { Currency } from '@hengfu/contract/money';
import { merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { lastDays } from './last-days.ts';

const shownDays = 30;

interface LookProps {
  code: string;
  currency: Currency;
}

/** The merchant's last thirty days, in the offset of this browser. */
export function DailyReportLook({ code, currency }: LookProps): ReactElement {
  const t = useT();
  const [query] = useState(() => lastDays(new Date(), shownDays));
  const { data, error, refetch } = useQuery(
    reading(merchantLookEndpoints.dailyReport, { params: { code }, query }),
  );
  return (
    <Section title={t('dailyReports.title')} isCard>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={table.note}>{t('dailyReports.empty')}</p>}
      {data && data.length > 0 && (
        <TableBox label={t('dailyReports.title')}>
          <thead>
            <tr>
              <th>{t('dailyReports.date')}</th>
              <th data-number>{t('dailyReports.collected')}</th>
              <th data-number>{t('dailyReports.count')}</th>
              <th data-number>{t('dailyReports.paidOut')}</th>
              <th data-number>{t('dailyReports.count')}</th>
              <th data-number>{t('dailyReports.settlements')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((day) => (
              <tr key={day.date}>
                <td>{day.date}</td>
                <td data-number>
                  <Money amount={day.collectionAmount} currency={currency} />
                </td>
                <td data-number>
                  <Count of={day.collectionCount} />
                </td>
                <td data-number>
                  <Money amount={day.paymentAmount} currency={currency} />
                </td>
                <td data-number>
                  <Count of={day.paymentCount} />
                </td>
                <td data-number>
                  <Money amount={day.settlementAmount} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}
