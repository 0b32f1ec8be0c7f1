import type { ApprovalRow } from '@hengfu/contract/approvals';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { ApprovalStateTag } from '../../shared/names/approval-state.tsx';

/** The columns of the list of requests. */
export const approvalColumns: readonly ListColumn<ApprovalRow>[] = [
  {
    key: 'request_no',
    title: 'approvals.request_no',
    render: (row) => row.request_no,
    copy: (row) => row.request_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  { key: 'kind', title: 'approvals.kindLabel', render: (row) => <Kind of={row} />, isFixed: true },
  {
    key: 'state',
    title: 'approvals.stateLabel',
    render: (row) => <ApprovalStateTag state={row.state} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'amount',
    title: 'approvals.amount',
    render: ({ amount, currency }) =>
      amount === null ? nothing : <Money amount={amount} currency={currency} />,
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  { key: 'target', title: 'approvals.target', render: (row) => row.target ?? nothing },
  {
    key: 'subject_no',
    title: 'approvals.subject_no',
    render: (row) => row.subject_no ?? nothing,
    copy: (row) => row.subject_no ?? undefined,
  },
  { key: 'requestedBy', title: 'approvals.requestedBy', render: (row) => row.requestedBy },
  { key: 'approvals', title: 'approvals.approvalsOf', render: (row) => <Progress of={row} />, align: 'end' },
  { key: 'createdAt', title: 'approvals.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'expiresAt', title: 'approvals.expiresAt', render: (row) => <TimeText at={row.expiresAt} /> },
  {
    key: 'endedAt',
    title: 'approvals.endedAt',
    render: (row) => <TimeText at={row.endedAt} />,
    isOptional: true,
  },
];

function Kind({ of }: { of: ApprovalRow }): ReactElement {
  const t = useT();
  return <>{t(`approvals.kinds.${of.kind}`)}</>;
}

function Progress({ of }: { of: ApprovalRow }): ReactElement {
  const t = useT();
  return <>{t('approvals.approvalsCount', { count: of.approvals, needed: of.needed })}</>;
}
