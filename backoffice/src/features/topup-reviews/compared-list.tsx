import type { ComparedTopup } from '@hengfu/contract/staff/topup-reviews';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { topupLooks } from './topup-looks.ts';

interface ComparedListProps {
  /** Names the list for screen readers. */
  label: string;
  topups: readonly ComparedTopup[];
}

/** Other top-ups that a reviewer compares with the case. */
export function ComparedList({ label, topups }: ComparedListProps): ReactElement {
  const t = useT();
  if (topups.length === 0) return <p className={table.note}>{t('office.none')}</p>;
  return (
    <TableBox label={label}>
      <thead>
        <tr>
          <th>{t('office.number')}</th>
          <th>{t('office.merchant')}</th>
          <th>{t('topups.statusLabel')}</th>
          <th data-number>{t('office.amount')}</th>
          <th>{t('topups.createdAt')}</th>
        </tr>
      </thead>
      <tbody>
        {topups.map(({ trade_no: tradeNo, merchant, status, usdt, createdAt }) => (
          <tr key={tradeNo}>
            <td>
              <Link to="/topups" search={{ case: tradeNo }}>
                {tradeNo}
              </Link>
            </td>
            <td>{merchant}</td>
            <td>
              <StatusTag look={topupLooks[status]} />
            </td>
            <td data-number>
              <Money amount={usdt} currency="USDT" />
            </td>
            <td>
              <TimeText at={createdAt} style="minute" />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
