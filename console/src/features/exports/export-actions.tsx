import { type ExportRow, exportEndpoints } from '@hengfu/contract/exports';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call, linkTo } from '../../platform/http.ts';
import { HasPerm } from '../../platform/session-store.ts';
import styles from './exports.module.css';

/** Downloads, cancels or retries an export. */
export function ExportActions({ row: { export_no, status, expiresAt } }: { row: ExportRow }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const params = { export_no };
  const act = useAction({
    mutationFn: (action: 'cancel' | 'retry') => call(exportEndpoints[action], { params }),
    onSettled: () => client.invalidateQueries({ queryKey: [exportEndpoints.list.path] }),
  });
  return (
    <span className={styles.actions}>
      {status === 'successful' && expiresAt !== null && (
        <>
          <a className={buttonClass('outline')} href={linkTo(exportEndpoints.file, { params })} download>
            {t('exports.download')}
          </a>
          <a className={buttonClass('quiet')} href={linkTo(exportEndpoints.manifest, { params })} download>
            {t('exports.manifest')}
          </a>
        </>
      )}
      <HasPerm any={['exports.create']}>
        {(status === 'waiting' || status === 'exporting') && (
          <Button aria-disabled={act.isPending} onClick={() => act.mutate('cancel')}>
            {t('exports.cancel')}
          </Button>
        )}
        {status === 'failed' && (
          <Button icon="refresh" aria-disabled={act.isPending} onClick={() => act.mutate('retry')}>
            {t('exports.retry')}
          </Button>
        )}
      </HasPerm>
    </span>
  );
}
