import { type ExportRow, exportDays } from '@hengfu/contract/exports';
import { formatBytes, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { Count } from '@hengfu/ui/values/count.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { ExportActions } from './export-actions.tsx';
import { exportLooks } from './export-looks.ts';
import styles from './exports.module.css';
import { FilterLines } from './filter-lines.tsx';

/** The columns of the export list. */
export const exportColumns: readonly ListColumn<ExportRow>[] = [
  {
    key: 'export_no',
    title: 'exports.export_no',
    render: (row) => row.export_no,
    isFixed: true,
    card: 'lead',
  },
  { key: 'list', title: 'exports.list', render: (row) => <ListName row={row} /> },
  {
    key: 'status',
    title: 'exports.statusLabel',
    render: (row) => <Status row={row} />,
    isFixed: true,
    card: 'badge',
  },
  { key: 'rows', title: 'exports.rows', render: (row) => <Count of={row.rows} />, align: 'end' },
  { key: 'bytes', title: 'exports.size', render: (row) => <Size bytes={row.bytes} />, align: 'end' },
  { key: 'createdAt', title: 'exports.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'createdBy', title: 'exports.createdBy', render: (row) => row.createdBy, isOptional: true },
  { key: 'expiresAt', title: 'exports.expiresAt', render: (row) => <Expiry row={row} /> },
  {
    key: 'actions',
    title: 'exports.file',
    render: (row) => <ExportActions row={row} />,
    isFixed: true,
  },
];

function ListName({ row }: { row: ExportRow }): ReactElement {
  const t = useT();
  const { list, format, scheduleName } = row;
  return (
    <span className={styles.lines}>
      <span>
        {t(`exports.lists.${list}`)} · {format.toUpperCase()}
      </span>
      {scheduleName !== null && (
        <span className={styles.reason}>{t('exports.fromSchedule', { name: scheduleName })}</span>
      )}
      <FilterLines of={row} />
    </span>
  );
}

function Status({ row: { status, reason } }: { row: ExportRow }): ReactElement {
  const t = useT();
  return (
    <span className={styles.status}>
      <StatusTag look={exportLooks[status]} />
      {reason && <span className={styles.reason}>{t(`exports.reason.${reason}`)}</span>}
    </span>
  );
}

function Size({ bytes }: { bytes: number | null }): ReactElement {
  const language = useLanguage();
  return <span>{bytes === null ? nothing : formatBytes(bytes, language)}</span>;
}

function Expiry({ row: { status, expiresAt } }: { row: ExportRow }): ReactElement {
  const t = useT();
  if (status === 'successful' && expiresAt === null)
    return <span className={styles.reason}>{t('exports.expired', { days: exportDays })}</span>;
  return <TimeText at={expiresAt} style="minute" />;
}
