import { channelCodes } from '@hengfu/contract/channels';
import { type OrderRow, type orderEndpoints, orderKinds, orderStatuses } from '@hengfu/contract/staff/orders';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { FilterNameOf, ListColumn, ListFilter } from '@hengfu/ui/list/list-types.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { collectionLooks } from '@hengfu/ui/orders/collection-looks.ts';
import { payoutLooks } from '@hengfu/ui/orders/payout-looks.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag, statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';

const looks = { ...payoutLooks, ...collectionLooks };

/** The columns of the list of all merchants' orders. */
export const orderColumns: readonly ListColumn<OrderRow>[] = [
  {
    key: 'trade_no',
    title: 'payouts.trade_no',
    render: (row) => row.trade_no,
    copy: (row) => row.trade_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  { key: 'kind', title: 'officeOrders.kind', render: (row) => <Kind row={row} /> },
  { key: 'merchant', title: 'office.merchant', render: (row) => <MerchantName merchant={row.merchant} /> },
  {
    key: 'status',
    title: 'payouts.statusLabel',
    render: (row) => <StatusTag look={looks[row.status]} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'amount',
    title: 'payouts.amount',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'fee',
    title: 'payouts.fee',
    render: (row) => <Money amount={row.fee} currency={row.currency} />,
    align: 'end',
    isOptional: true,
  },
  {
    key: 'out_trade_no',
    title: 'payouts.out_trade_no',
    render: (row) => row.out_trade_no ?? nothing,
    copy: (row) => row.out_trade_no ?? undefined,
  },
  { key: 'payee', title: 'payouts.payee', render: (row) => row.payee ?? nothing },
  { key: 'channel', title: 'payouts.channel', render: (row) => <ChannelName code={row.channel} /> },
  { key: 'createdAt', title: 'payouts.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'paidAt', title: 'payouts.paidAt', render: (row) => <TimeText at={row.paidAt} />, isOptional: true },
];

/** The filters of the list: one field that finds any number, and choices. */
export const orderFilters: readonly ListFilter<FilterNameOf<typeof orderEndpoints.list>>[] = [
  {
    kind: 'text',
    name: 'search',
    label: 'officeOrders.search',
    prompt: 'officeOrders.searchPrompt',
    isInline: true,
  },
  {
    kind: 'choice',
    name: 'kind',
    label: 'officeOrders.kind',
    options: orderKinds.map((value) => ({ value, label: `officeOrders.kinds.${value}` as const })),
    isSingle: true,
  },
  { kind: 'text', name: 'merchant', label: 'officeOrders.merchantCode' },
  {
    kind: 'choice',
    name: 'status',
    label: 'payouts.statusLabel',
    options: statusOptions(orderStatuses, looks),
  },
  {
    kind: 'choice',
    name: 'channel',
    label: 'payouts.channel',
    options: channelCodes.map((value) => ({ value, label: `channels.${value}` as const })),
    isSingle: true,
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'payouts.createdAt' },
];

function Kind({ row: { kind } }: { row: OrderRow }): ReactElement {
  const t = useT();
  return <span>{t(`officeOrders.kinds.${kind}`)}</span>;
}

/** The merchant of an order, with a mark if it has no real money. */
export function MerchantName({ merchant }: { merchant: OrderRow['merchant'] }): ReactElement {
  const t = useT();
  return (
    <span>
      {merchant.name} ({merchant.code}){merchant.isTest && ` · ${t('officeOrders.test')}`}
    </span>
  );
}
