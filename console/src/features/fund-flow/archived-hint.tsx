import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { formatInstant } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { ExportDialog } from '../../ui/list/export-button.tsx';
import { listOptions } from '../../ui/list/list-query.ts';
import { filtersOf } from '../../ui/list/list-search.ts';
import type { ListSearch } from '../../ui/list/list-types.ts';
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
