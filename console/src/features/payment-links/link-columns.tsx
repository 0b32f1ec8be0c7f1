import type { PaymentLinkRow } from '@hengfu/contract/payment-links';
import { nothing } from '@hengfu/ui/language/format.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { linkLooks } from './link-looks.ts';
import { LinkPrice, LinkUses } from './link-values.tsx';

/** The columns of the list of payment links. */
export const linkColumns: readonly ListColumn<PaymentLinkRow>[] = [
  {
    key: 'title',
    title: 'paymentLinks.name',
    render: (row) => row.title,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'state',
    title: 'paymentLinks.stateLabel',
    render: (row) => <StatusTag look={linkLooks[row.state]} />,
    isFixed: true,
    card: 'badge',
  },
  { key: 'price', title: 'paymentLinks.price', render: (row) => <LinkPrice link={row} />, align: 'end' },
  {
    key: 'paid',
    title: 'paymentLinks.paid',
    render: (row) => <Money amount={row.paid} currency={row.currency} />,
    total: ({ paid: amount, currency }) => ({ amount, currency }),
    align: 'end',
    card: 'figure',
  },
  {
    key: 'paidOrders',
    title: 'paymentLinks.paidOrders',
    render: (row) => <Count of={row.paidOrders} />,
    align: 'end',
  },
  { key: 'uses', title: 'paymentLinks.uses', render: (row) => <LinkUses link={row} />, align: 'end' },
  {
    key: 'expiresAt',
    title: 'paymentLinks.expiresAt',
    render: (row) => (row.expiresAt === null ? nothing : <TimeText at={row.expiresAt} />),
  },
  { key: 'createdAt', title: 'paymentLinks.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  {
    key: 'link_no',
    title: 'paymentLinks.link_no',
    render: (row) => row.link_no,
    copy: (row) => row.link_no,
    isOptional: true,
  },
];
