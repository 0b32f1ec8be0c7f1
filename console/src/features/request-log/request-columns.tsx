import type { RequestRow } from '@hengfu/contract/request-log';
import { formatCount, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { lookOfStatus } from '../../shared/request-looks.ts';
import styles from './request-log.module.css';

/** The columns of the request log. */
export const requestColumns: readonly ListColumn<RequestRow>[] = [
  {
    key: 'call',
    title: 'requestLog.call',
    render: ({ method, path }) => (
      <code className={styles.call}>
        {method} {path}
      </code>
    ),
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'result',
    title: 'requestLog.result',
    render: ({ status }) => <StatusTag look={lookOfStatus(status)} />,
    card: 'badge',
  },
  { key: 'status', title: 'requestLog.status', render: ({ status }) => status, isFixed: true },
  { key: 'code', title: 'requestLog.code', render: ({ code }) => code ?? nothing },
  {
    key: 'duration',
    title: 'requestLog.duration',
    align: 'end',
    render: ({ durationMs }) => <Duration ms={durationMs} />,
  },
  {
    key: 'order',
    title: 'requestLog.order',
    render: ({ trade_no, out_trade_no }) => trade_no ?? out_trade_no ?? nothing,
    copy: ({ trade_no, out_trade_no }) => trade_no ?? out_trade_no ?? undefined,
  },
  {
    key: 'out_trade_no',
    title: 'requestLog.out_trade_no',
    render: ({ out_trade_no }) => out_trade_no ?? nothing,
    copy: ({ out_trade_no }) => out_trade_no ?? undefined,
    isOptional: true,
  },
  { key: 'keyId', title: 'requestLog.keyId', render: ({ keyId }) => keyId, isOptional: true },
  { key: 'address', title: 'requestLog.address', render: ({ address }) => address ?? nothing },
  { key: 'at', title: 'requestLog.at', render: ({ at }) => <TimeText at={at} />, isFixed: true },
  {
    key: 'request_id',
    title: 'requestLog.request_id',
    render: ({ request_id }) => request_id,
    copy: ({ request_id }) => request_id,
    isOptional: true,
  },
];

/** Shows how long a call took. */
export function Duration({ ms }: { ms: number }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return <>{t('requestLog.milliseconds', { ms: formatCount(ms, language) })}</>;
}
