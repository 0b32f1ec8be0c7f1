import type { FundFlowRow, FundFlowType } from '@hengfu/contract/fund-flow';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { fundFlowLabels } from '@hengfu/ui/orders/fund-flow-filters.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import styles from './fund-flow.module.css';

/** The path of the list that has each type's orders; transfers between merchants have no list. */
const listPathOf = {
  collectionSettlement: '/collection/Settlements',
  payoutDeduction: '/behalfPay/transfers',
  payoutRefund: '/behalfPay/transfers',
  recharge: '/recharge/record',
  withdrawal: '/withdrawal/record',
  withdrawalRejected: '/withdrawal/record',
  transferIn: undefined,
  transferOut: undefined,
} as const satisfies Record<FundFlowType, string | undefined>;

function Subject({ row: { type, subject_no } }: { row: FundFlowRow }): ReactElement {
  // A refund that available funds pay is a settlement with the sign reversed.
  const isRefund = type === 'collectionSettlement' && subject_no.includes('-R');
  const to = isRefund ? '/collection/refunds' : listPathOf[type];
  return to ? (
    <Link to={to} search={{ open: subject_no }}>
      {subject_no}
    </Link>
  ) : (
    <span>{subject_no}</span>
  );
}

function Type({ type }: { type: FundFlowType }): ReactElement {
  const t = useT();
  return <span>{t(fundFlowLabels[type])}</span>;
}

/** The columns of the statement. */
export const fundFlowColumns: readonly ListColumn<FundFlowRow>[] = [
  {
    key: 'createdAt',
    title: 'fundFlow.createdAt',
    render: (row) => <TimeText at={row.createdAt} />,
    isFixed: true,
  },
  {
    key: 'type',
    title: 'fundFlow.typeLabel',
    hint: 'fundFlow.typeHint',
    render: (row) => <Type type={row.type} />,
    card: 'lead',
  },
  {
    key: 'amount',
    title: 'fundFlow.amount',
    render: (row) => (
      <span className={styles.amount} data-in={!row.amount.startsWith('-')}>
        <Money amount={row.amount} currency={row.currency} />
      </span>
    ),
    total: ({ amount, currency }) => ({ amount, currency }),
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'balance',
    title: 'fundFlow.balance',
    render: (row) => <Money amount={row.balance} currency={row.currency} />,
    align: 'end',
  },
  {
    key: 'subject_no',
    title: 'fundFlow.subject_no',
    render: (row) => <Subject row={row} />,
    copy: (row) => row.subject_no,
  },
  {
    key: 'entry_no',
    title: 'fundFlow.entry_no',
    render: (row) => row.entry_no,
    align: 'end',
    isOptional: true,
  },
];
