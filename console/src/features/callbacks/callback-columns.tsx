import type { CallbackRow } from '@hengfu/contract/callback-messages';
import { nothing } from '@hengfu/ui/language/format.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { Count } from '@hengfu/ui/values/count.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { callbackLooks } from './callback-looks.ts';
import { Receiver } from './receiver.tsx';

/** The columns of the list of callbacks. */
export const callbackColumns: readonly ListColumn<CallbackRow>[] = [
  {
    key: 'trade_no',
    title: 'callbacks.tradeNo',
    render: (row) => row.trade_no,
    copy: (row) => row.trade_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  { key: 'event', title: 'callbacks.event', render: (row) => <code>{row.event}</code> },
  {
    key: 'state',
    title: 'callbacks.stateLabel',
    render: (row) => <StatusTag look={callbackLooks[row.state]} />,
    isFixed: true,
    card: 'badge',
  },
  { key: 'endpoint', title: 'callbacks.endpoint', render: (row) => <Receiver of={row} /> },
  {
    key: 'attempts',
    title: 'callbacks.attempts',
    render: (row) => <Count of={row.attempts} />,
    align: 'end',
  },
  { key: 'createdAt', title: 'callbacks.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  {
    key: 'deliveredAt',
    title: 'callbacks.deliveredAt',
    render: (row) => (row.deliveredAt === null ? nothing : <TimeText at={row.deliveredAt} />),
  },
  { key: 'url', title: 'callbacks.url', render: (row) => row.url, isOptional: true },
  {
    key: 'id',
    title: 'callbacks.id',
    render: (row) => row.id,
    copy: (row) => row.id,
    isOptional: true,
  },
];
