import { useT } from '@hengfu/ui/language/i18n.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import table from '../table.module.css';
import { TableBox } from '../table-box.tsx';

/** Another case that a reviewer compares. */
interface Compared {
  trade_no: string;
  merchant: string;
  usdt: string;
  createdAt: string;
}

interface ComparedListProps<C extends Compared> {
  /** Names the list for screen readers. */
  label: string;
  /** The page that shows a case. */
  to: '/topups' | '/withdrawals';
  orders: readonly C[];
  lookOf: (order: C) => StatusLook;
}

/** Other cases that a reviewer compares with the one on screen. */
export function ComparedList<C extends Compared>({
  label,
  to,
  orders,
  lookOf,
}: ComparedListProps<C>): ReactElement {
  const t = useT();
  if (orders.length === 0) return <p className={table.note}>{t('office.none')}</p>;
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
        {orders.map((order) => (
          <tr key={order.trade_no}>
            <td>
              <Link to={to} search={{ case: order.trade_no }}>
                {order.trade_no}
              </Link>
            </td>
            <td>{order.merchant}</td>
            <td>
              <StatusTag look={lookOf(order)} />
            </td>
            <td data-number>
              <Money amount={order.usdt} currency="USDT" />
            </td>
            <td>
              <TimeText at={order.createdAt} style="minute" />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
