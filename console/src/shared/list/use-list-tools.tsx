import type { ExportList } from '@hengfu/contract/export-columns';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ListTool } from '@hengfu/ui/list/list-tools.tsx';
import type { ShownList } from '@hengfu/ui/list/list-view.tsx';
import { hasPerm, useUser } from '../../platform/session-store.ts';
import { ExportButton, ExportDialog } from './export-button.tsx';
import { SavedViews, Views } from './saved-views.tsx';

const Sheet = onDemand(async () => (await import('@hengfu/ui/overlays/overlays.ts')).Sheet);

/** Returns the tools of a list that can be exported: its saved views, unless it is part of a detail, and its export. */
export function useListTools(
  list: ExportList | undefined,
  nested: string | undefined,
): (shown: ShownList) => readonly ListTool[] {
  const t = useT();
  const canExport = hasPerm(useUser(), 'exports.create');
  return ({ filters, columns, show }) => {
    if (list === undefined) return [];
    const current = { list, filters, columns };
    const views: ListTool = {
      label: t('ui.views'),
      icon: 'bookmark',
      button: <SavedViews {...current} onChosen={show} />,
      open: (close) => (
        <Sheet title={t('ui.views')} onClose={close}>
          <Views {...current} onChosen={show} close={close} />
        </Sheet>
      ),
    };
    const exported: ListTool = {
      label: t('exports.action'),
      icon: 'table',
      button: <ExportButton {...current} />,
      open: (close) => <ExportDialog {...current} onClose={close} />,
    };
    return [...(nested === undefined ? [views] : []), ...(canExport ? [exported] : [])];
  };
}
