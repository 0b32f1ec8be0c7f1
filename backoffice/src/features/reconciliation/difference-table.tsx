import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import {
  type DayDetail,
  type Difference,
  type DifferenceKind,
  differencesPerPage,
} from '@hengfu/contract/staff/statement-days';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { DecisionDialog, type DecisionKind } from './decision-dialog.tsx';
import { decisionLooks } from './looks.ts';
import styles from './reconciliation.module.css';

interface DifferenceTableProps {
  detail: DayDetail;
  /** All kinds if absent. */
  kind: DifferenceKind | undefined;
}

/** The differences of a day, in the order of the statement, with what has been decided about each. */
export function DifferenceTable({ detail, kind }: DifferenceTableProps): ReactElement {
  const t = useT();
  const { channel, day } = detail;
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [reconciliationEndpoints.differences.path, channel, day, kind ?? ''],
    queryFn: async ({ pageParam: after, signal }) =>
      (
        await call(reconciliationEndpoints.differences, {
          params: { channel, day },
          query: { ...(kind && { kind }), ...(after !== '' && { after }) },
          signal,
        })
      ).data,
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < differencesPerPage ? undefined : page.at(-1)?.id),
  });
  const canWrite = useHasPerm('reconciliation.write') && detail.state === 'open';
  const [asked, setAsked] = useState<{ difference: Difference; decision: DecisionKind }>();
  const list = data?.pages.flat();
  return (
    <>
      {kind && <p className={table.note}>{t(`officeReconciliation.kindText.${kind}`)}</p>}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {list?.length === 0 && <p className={table.note}>{t('officeReconciliation.noDifferences')}</p>}
      {list && list.length > 0 && (
        <TableBox label={t('officeReconciliation.differences')}>
          <thead>
            <tr>
              <th>{t('officeReconciliation.reference')}</th>
              <th>{t('officeReconciliation.kindLabel')}</th>
              <th data-number>{t('officeReconciliation.theirs')}</th>
              <th data-number>{t('officeReconciliation.ours')}</th>
              <th>{t('officeReconciliation.stateLabel')}</th>
              <th>{t('officeReconciliation.note')}</th>
            </tr>
          </thead>
          <tbody>
            {list.map((difference) => (
              <DifferenceRow
                key={difference.id}
                difference={difference}
                currency={detail.currency}
                onAsked={canWrite ? (decision) => setAsked({ difference, decision }) : undefined}
              />
            ))}
          </tbody>
        </TableBox>
      )}
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('office.more')}</Button>}
      {asked && <DecisionDialog {...asked} currency={detail.currency} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface DifferenceRowProps {
  difference: Difference;
  currency: DayDetail['currency'];
  /** Absent if nothing may be decided. */
  onAsked: ((decision: DecisionKind) => void) | undefined;
}

function DifferenceRow({ difference, currency, onAsked }: DifferenceRowProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { kind, state, reference, line, theirs, ours, otherDay, merchant, bankReference, text } = difference;
  const origin = [
    merchant,
    line !== null && `${t('officeReconciliation.line')} ${line}`,
    bankReference,
    text,
  ].filter(Boolean);
  return (
    <tr>
      <td>
        {reference || t('officeReconciliation.noNumber')}
        <span className={styles.sub}>{origin.join(' · ')}</span>
      </td>
      <td>
        {t(`officeReconciliation.kind.${kind}`)}
        {otherDay !== null && (
          <span className={styles.sub}>
            {t('officeReconciliation.onDay', { day: formatDay(otherDay, language) })}
          </span>
        )}
      </td>
      <td data-number>{theirs !== null && <Money amount={theirs} currency={currency} />}</td>
      <td data-number>{ours !== null && <Money amount={ours} currency={currency} />}</td>
      <td>
        <StatusTag look={decisionLooks[state]} />
      </td>
      <td data-long>
        {difference.note}
        {state !== 'open' && (
          <span className={styles.sub}>{difference.decidedBy ?? t('officeReconciliation.byMatching')}</span>
        )}
        {onAsked && state !== 'adjusted' && (
          <span className={styles.actions}>
            <Button look="quiet" onClick={() => onAsked('explain')}>
              {t('officeReconciliation.explain')}
            </Button>
            <Button look="quiet" onClick={() => onAsked('wait')}>
              {t('officeReconciliation.wait')}
            </Button>
            {kind !== 'otherDay' && (
              <Button look="quiet" onClick={() => onAsked('adjust')}>
                {t('officeReconciliation.adjust')}
              </Button>
            )}
          </span>
        )}
      </td>
    </tr>
  );
}
