import type { CollectionRow } from '@hengfu/contract/collections';
import type { FundFlowRow } from '@hengfu/contract/fund-flow';
import type { Currency } from '@hengfu/contract/money';
import type { PayoutRow } from '@hengfu/contract/payouts';
import type { SettlementLine, SettlementRow } from '@hengfu/contract/settlements';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { collectionLooks, settlementLooks } from '@hengfu/ui/orders/collection-looks.ts';
import { fundFlowLabels } from '@hengfu/ui/orders/fund-flow-filters.ts';
import { payoutLooks } from '@hengfu/ui/orders/payout-looks.ts';
import { batchLooks, lineLooks } from '@hengfu/ui/orders/settlement-looks.ts';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';

/** The keys of a row whose values have a type. */
type KeyOf<R, V> = { [K in keyof R]: R[K] extends V ? K & string : never }[keyof R];

/** A column with a number that people copy. */
function number<R>(key: KeyOf<R, string | null>, title: PhraseKey, isLead = false): ListColumn<R> {
  const textOf = (row: R) => row[key] as string | null;
  return {
    key,
    title,
    render: (row) => textOf(row) ?? nothing,
    copy: (row) => textOf(row) ?? undefined,
    ...(isLead && { isOpener: true, isFixed: true, card: 'lead' }),
  };
}

function money<R extends { currency: Currency }>(
  key: KeyOf<R, string>,
  title: PhraseKey,
  isMain = false,
): ListColumn<R> {
  return {
    key,
    title,
    render: (row) => <Money amount={row[key] as string} currency={row.currency} />,
    align: 'end',
    ...(isMain && { isFixed: true, card: 'figure' }),
  };
}

function time<R>(key: KeyOf<R, string | null>, title: PhraseKey): ListColumn<R> {
  return { key, title, render: (row) => <TimeText at={row[key] as string | null} /> };
}

function count<R>(key: KeyOf<R, number>, title: PhraseKey): ListColumn<R> {
  return { key, title, render: (row) => <Count of={row[key] as number} />, align: 'end' };
}

function status<R>(title: PhraseKey, lookOf: (row: R) => StatusLook): ListColumn<R> {
  return {
    key: 'status',
    title,
    render: (row) => <StatusTag look={lookOf(row)} />,
    isFixed: true,
    card: 'badge',
  };
}

export const collectionColumns: readonly ListColumn<CollectionRow>[] = [
  number('trade_no', 'collections.trade_no', true),
  number('out_trade_no', 'collections.out_trade_no'),
  status('collections.statusLabel', (row) => collectionLooks[row.status]),
  money('amount', 'collections.amount', true),
  money('fee', 'collections.fee'),
  {
    key: 'settlementStatus',
    title: 'collections.settlementLabel',
    render: ({ settlementStatus: of }) => (of ? <StatusTag look={settlementLooks[of]} /> : nothing),
  },
  { key: 'channel', title: 'collections.channel', render: (row) => <ChannelName code={row.channel} /> },
  time('createdAt', 'collections.createdAt'),
  time('paidAt', 'collections.paidAt'),
];

export const payoutColumns: readonly ListColumn<PayoutRow>[] = [
  number('trade_no', 'payouts.trade_no', true),
  number('out_trade_no', 'payouts.out_trade_no'),
  status('payouts.statusLabel', (row) => payoutLooks[row.status]),
  money('amount', 'payouts.amount', true),
  money('fee', 'payouts.fee'),
  number('payee', 'payouts.payee'),
  number('payeeAccount', 'payouts.payeeAccount'),
  { key: 'channel', title: 'payouts.channel', render: (row) => <ChannelName code={row.channel} /> },
  time('createdAt', 'payouts.createdAt'),
  time('paidAt', 'payouts.paidAt'),
];

export const settlementColumns: readonly ListColumn<SettlementRow>[] = [
  number('settlement_no', 'settlements.settlement_no', true),
  status('settlements.statusLabel', (row) => batchLooks[row.status]),
  count('orderCount', 'settlements.orderCount'),
  count('refundCount', 'settlements.refundCount'),
  money('amount', 'settlements.amount'),
  money('fee', 'settlements.fee'),
  money('refunded', 'settlements.refunded'),
  money('net', 'settlements.net', true),
  time('cutOffAt', 'settlements.cutOffAt'),
  time('settledAt', 'settlements.settledAt'),
];

/** The payments and refunds of a settlement. */
export const lineColumns: readonly ListColumn<SettlementLine>[] = [
  number('trade_no', 'collections.trade_no', true),
  status('settlements.kind', (line) => lineLooks[line.kind]),
  number('refund_no', 'refunds.refund_no'),
  money('amount', 'collections.amount'),
  money('fee', 'settlements.fee'),
  money('fromAvailable', 'refunds.fromAvailable'),
  money('net', 'settlements.net', true),
  number('out_trade_no', 'collections.out_trade_no'),
  time('paidAt', 'collections.paidAt'),
  time('refundedAt', 'collections.refundedAt'),
];

export const fundFlowColumns: readonly ListColumn<FundFlowRow>[] = [
  number('entry_no', 'fundFlow.entry_no'),
  time('createdAt', 'fundFlow.createdAt'),
  { key: 'type', title: 'fundFlow.typeLabel', render: ({ type }) => <FlowType type={type} />, card: 'lead' },
  money('amount', 'fundFlow.amount', true),
  money('balance', 'fundFlow.balance'),
  number('subject_no', 'fundFlow.subject_no'),
];

function FlowType({ type }: Pick<FundFlowRow, 'type'>): ReactElement {
  const t = useT();
  return <span>{t(fundFlowLabels[type])}</span>;
}
