import type { ExportList } from '@hengfu/contract/export-columns';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { HasPerm } from '../../platform/session-store.ts';

/** Asks for the format of an export. */
export const ExportDialog = onDemand(async () => (await import('./export-dialog.tsx')).ExportDialog);

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
      <Button icon="table" onPointerEnter={ExportDialog.prefetch} onClick={() => setOpen(true)}>
        {t('exports.action')}
      </Button>
      {isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </HasPerm>
  );
}
