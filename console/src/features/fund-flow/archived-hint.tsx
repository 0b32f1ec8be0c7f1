import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { filtersOf } from '@hengfu/ui/list/list-search.ts';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import { ExportDialog } from '../../shared/list/export-button.tsx';
import { listOptions } from '../../shared/list/list-query.ts';
import styles from './fund-flow.module.css';

/** Says from when on the list shows its entries, if older ones are in the archive; leads to their export. */
export function ArchivedHint({ search }: { search: ListSearch }): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const [isOpen, setOpen] = useState(false);
  // The list's own query, so that this asks for nothing more.
  const options = listOptions(fundFlowEndpoints.list, search);
  const { data: before } = useQuery({
    ...options,
    placeholderData: keepPreviousData,
    select: (reply): unknown => ('archivedBefore' in reply ? reply.archivedBefore : undefined),
  });
  if (typeof before !== 'string') return null;
  const filters = filtersOf(fundFlowEndpoints.list.query, search);
  return (
    <p className={styles.archived}>
      {t('fundFlow.archived', { at: formatInstant(before, zone, language, 'minute') })}
      <HasPerm any={['exports.create']}>
        <Button look="quiet" onClick={() => setOpen(true)}>
          {t('fundFlow.exportArchived')}
        </Button>
        {isOpen && (
          <ExportDialog list="fundFlow" filters={filters} columns={[]} onClose={() => setOpen(false)} />
        )}
      </HasPerm>
    </p>
  );
}
