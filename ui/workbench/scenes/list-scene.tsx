import type { ReactElement } from 'react';
import type { ListColumn, ListFilter } from '../../src/list/list-types.ts';
import { ListView } from '../../src/list/list-view.tsx';
import { Fields } from '../../src/page/fields.tsx';
import { Money } from '../../src/values/money.tsx';
import { type StatusLook, StatusTag, statusOptions } from '../../src/values/status-tag.tsx';
import { TimeText } from '../../src/values/time-text.tsx';
import styles from '../workbench.module.css';
import { type Order, orderSource } from './list-source.ts';

const looks: Readonly<Record<Order['status'], StatusLook>> = {
  paid: { label: 'collections.status.paid', tone: 'good', icon: 'circleCheck' },
  failed: { label: 'collections.status.failed', tone: 'bad', icon: 'circleCross' },
};

const columns: readonly ListColumn<Order>[] = [
  {
    key: 'number',
    title: 'collections.trade_no',
    render: ({ number }) => number,
    copy: ({ number }) => number,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'status',
    title: 'collections.statusLabel',
    render: ({ status }) => <StatusTag look={looks[status]} />,
    card: 'badge',
  },
  {
    key: 'amount',
    title: 'collections.amount',
    hint: 'ui.sumTooMany',
    render: ({ amount }) => <Money amount={amount} currency="CNY" />,
    align: 'end',
    card: 'figure',
  },
  {
    key: 'createdAt',
    title: 'collections.createdAt',
    render: ({ createdAt }) => <TimeText at={createdAt} />,
  },
];

const filters: readonly ListFilter[] = [
  { kind: 'text', name: 'number', match: 'beginning', label: 'collections.trade_no', isInline: true },
  {
    kind: 'choice',
    name: 'status',
    label: 'collections.statusLabel',
    options: statusOptions(['paid', 'failed'], looks),
  },
  { kind: 'days', from: 'from', to: 'to', label: 'collections.createdAt' },
  { kind: 'amount', from: 'min', to: 'max', label: 'collections.amount' },
];

/** A list of 45 orders with every kind of filter and a detail. */
export function ListScene(): ReactElement {
  return (
    <div className={styles.wide}>
      <ListView
        name="workbench"
        title="collections.title"
        source={orderSource}
        rowKey={({ number }) => number}
        columns={columns}
        filters={filters}
        sumLabel="collections.amount"
        empty={{ text: 'ui.nothingFound' }}
        detail={{
          title: (key) => key,
          render: (key, row) => (
            <Fields fields={[{ label: key, value: row && <Money amount={row.amount} currency="CNY" /> }]} />
          ),
        }}
      />
    </div>
  );
}
