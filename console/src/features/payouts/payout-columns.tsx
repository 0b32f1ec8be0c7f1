import type { PayoutRow, PayoutStatus } from '@hengfu/contract/payouts';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { BankName } from '@hengfu/ui/orders/bank-name.tsx';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { payoutLooks, statusHints } from '@hengfu/ui/orders/payout-looks.ts';
import { Hint } from '@hengfu/ui/overlays/hint.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { ApprovalStateTag } from '../../shared/names/approval-state.tsx';

/** The columns of the payout list. */
export const payoutColumns: readonly ListColumn<PayoutRow>[] = [
  {
    key: 'trade_no',
    title: 'payouts.trade_no',
    render: (row) => row.trade_no,
    copy: (row) => row.trade_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'out_trade_no',
    title: 'payouts.out_trade_no',
    render: (row) => row.out_trade_no ?? nothing,
    copy: (row) => row.out_trade_no ?? undefined,
  },
  {
    key: 'status',
    title: 'payouts.statusLabel',
    render: (row) => <Status status={row.status} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'approvalState',
    title: 'approvals.stateLabel',
    render: (row) => <ApprovalStateTag state={row.approvalState} />,
    isOptional: true,
  },
  {
    key: 'amount',
    title: 'payouts.amount',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
    total: ({ amount, currency }) => ({ amount, currency }),
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'fee',
    title: 'payouts.fee',
    render: (row) => <Money amount={row.fee} currency={row.currency} />,
    total: ({ fee: amount, currency }) => ({ amount, currency }),
    align: 'end',
  },
  { key: 'payee', title: 'payouts.payee', render: (row) => row.payee },
  {
    key: 'payeeAccount',
    title: 'payouts.payeeAccount',
    render: (row) => row.payeeAccount,
    copy: (row) => row.payeeAccount,
  },
  {
    key: 'bank',
    title: 'payouts.bank',
    render: (row) => <BankName channel={row.channel} code={row.bank} />,
  },
  { key: 'bankName', title: 'payouts.bankName', render: (row) => row.bankName ?? nothing, isOptional: true },
  {
    key: 'branchName',
    title: 'payouts.branchName',
    render: (row) => row.branchName ?? nothing,
    isOptional: true,
  },
  {
    key: 'ifsc',
    title: 'payouts.ifsc',
    render: (row) => row.ifsc ?? nothing,
    copy: (row) => row.ifsc ?? undefined,
    isOptional: true,
  },
  {
    key: 'accountType',
    title: 'payouts.accountType',
    render: (row) => <AccountType type={row.accountType} />,
    isOptional: true,
  },
  { key: 'taxId', title: 'payouts.taxId', render: (row) => row.taxId ?? nothing, isOptional: true },
  { key: 'channel', title: 'payouts.channel', render: (row) => <ChannelName code={row.channel} /> },
  { key: 'createdAt', title: 'payouts.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'paidAt', title: 'payouts.paidAt', render: (row) => <TimeText at={row.paidAt} /> },
];

/** The type of a PIX key; a dash for an account of another channel. */
function AccountType({ type }: { type: PayoutRow['accountType'] }): ReactElement {
  const t = useT();
  return <span>{type === null ? nothing : t(`payouts.pixKey.${type}`)}</span>;
}

/** A status, with a hint if its name alone may be misread. */
function Status({ status }: { status: PayoutStatus }): ReactElement {
  const t = useT();
  const look = payoutLooks[status];
  const hint = statusHints[status];
  return (
    <>
      <StatusTag look={look} /> {hint && <Hint label={t(look.label)} text={t(hint)} />}
    </>
  );
}
