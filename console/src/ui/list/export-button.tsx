import type { ExportList } from '@hengfu/contract/export-columns';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { Button } from '../button.tsx';

const ExportDialog = lazy(() =>
  import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })),
);

interface ExportButtonProps {
  list: ExportList;
  filters: Readonly<Record<string, string>>;
  columns: readonly string[];
}

/** Exports a list as it is shown; only for users with the permission. */
export function ExportButton(props: ExportButtonProps): ReactElement {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <HasPerm any={['exports.create']}>
      <Button icon="table" onClick={() => setOpen(true)}>
        {t('exports.action')}
      </Button>
      {isOpen && (
        <Suspense>
          <ExportDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </HasPerm>
  );
}
