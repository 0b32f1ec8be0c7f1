import { type SettlementLine, settlementEndpoints } from '@hengfu/contract/settlements';
import { nothing } from '@hengfu/ui/language/format.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { lineLooks } from '@hengfu/ui/orders/settlement-looks.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { ListPage } from '../../shared/list/list-page.tsx';

const columns: readonly ListColumn<SettlementLine>[] = [
  {
    key: 'trade_no',
    title: 'collections.trade_no',
    render: (line) => (
      <Link to="/collection/payments" search={{ open: line.trade_no }}>
        {line.trade_no}
      </Link>
    ),
    copy: (line) => line.trade_no,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'kind',
    title: 'settlements.kind',
    render: (line) => <StatusTag look={lineLooks[line.kind]} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'refund_no',
    title: 'refunds.refund_no',
    render: ({ refund_no: number }) =>
      number ? (
        <Link to="/collection/refunds" search={{ open: number }}>
          {number}
        </Link>
      ) : (
        nothing
      ),
    copy: (line) => line.refund_no ?? '',
  },
  {
    key: 'amount',
    title: 'collections.amount',
    render: (line) => <Money amount={line.amount} currency={line.currency} />,
    align: 'end',
    isFixed: true,
  },
  {
    key: 'fee',
    title: 'settlements.fee',
    render: (line) => <Money amount={line.fee} currency={line.currency} />,
    align: 'end',
    isFixed: true,
  },
  {
    key: 'fromAvailable',
    title: 'refunds.fromAvailable',
    render: (line) => <Money amount={line.fromAvailable} currency={line.currency} />,
    align: 'end',
  },
  {
    key: 'net',
    title: 'settlements.net',
    render: (line) => <Money amount={line.net} currency={line.currency} />,
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'out_trade_no',
    title: 'collections.out_trade_no',
    render: (line) => line.out_trade_no,
    copy: (line) => line.out_trade_no,
    isFixed: true,
  },
  {
    key: 'paidAt',
    title: 'collections.paidAt',
    render: (line) => <TimeText at={line.paidAt} />,
    isFixed: true,
  },
  {
    key: 'refundedAt',
    title: 'collections.refundedAt',
    render: (line) => <TimeText at={line.refundedAt} />,
    isFixed: true,
  },
];

/** The payments and refunds of a batch, page by page. */
export function SettlementLines({ settlementNo }: { settlementNo: string }): ReactElement {
  const params = useMemo(() => ({ settlement_no: settlementNo }), [settlementNo]);
  return (
    <ListPage
      name="settlement-lines"
      nested="lines"
      exportAs="settlementLines"
      title="settlements.lines"
      endpoint={settlementEndpoints.lines}
      params={params}
      rowKey={(line) => line.refund_no ?? line.trade_no}
      columns={columns}
      topics={['settlements']}
      sumLabel="settlements.linesSum"
      empty={{ text: 'settlements.linesEmpty' }}
    />
  );
}
