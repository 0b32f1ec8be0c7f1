import type { Currency } from '@hengfu/contract/money';
import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import {
  type DayDetail,
  differencesPerPage,
  type StatementLine,
} from '@hengfu/contract/staff/statement-days';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatDay, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { call } from '../../platform/http.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import styles from './reconciliation.module.css';

/** The lines of a statement, all of them or those with a number. */
export function LineTable({ detail }: { detail: DayDetail }): ReactElement {
  const t = useT();
  const id = useId();
  const [reference, setReference] = useState('');
  const { channel, day, currency } = detail;
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [reconciliationEndpoints.lines.path, channel, day, reference],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(reconciliationEndpoints.lines, {
          params: { channel, day },
          query: { reference, after: String(pageParam) },
          signal,
        })
      ).data,
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < differencesPerPage ? undefined : page.at(-1)?.line),
  });
  const list = data?.pages.flat();
  return (
    <>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          setReference(String(new FormData(event.currentTarget).get('reference')).trim());
        }}
      >
        <label htmlFor={id} className="visually-hidden">
          {t('officeReconciliation.search')}
        </label>
        <input
          id={id}
          name="reference"
          type="search"
          placeholder={t('officeReconciliation.search')}
          maxLength={140}
        />
      </form>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {list?.length === 0 && <p className={table.note}>{t('officeReconciliation.noDifferences')}</p>}
      {list && list.length > 0 && (
        <TableBox label={t('officeReconciliation.lines', { count: detail.lines })}>
          <thead>
            <tr>
              <th>{t('officeReconciliation.reference')}</th>
              <th data-number>{t('officeReconciliation.theirs')}</th>
              <th>{t('officeReconciliation.valueDay')}</th>
              <th>{t('officeReconciliation.bankReference')}</th>
              <th>{t('officeReconciliation.text')}</th>
              <th>{t('officeReconciliation.stateLabel')}</th>
            </tr>
          </thead>
          <tbody>
            {list.map((line) => (
              <LineRow key={line.line} line={line} currency={currency} />
            ))}
          </tbody>
        </TableBox>
      )}
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('office.more')}</Button>}
    </>
  );
}

function LineRow({ line, currency }: { line: StatementLine; currency: Currency }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <tr>
      <td>
        {line.reference || t('officeReconciliation.noNumber')}
        <span className={styles.sub}>
          {t('officeReconciliation.line')} {line.line}
        </span>
      </td>
      <td data-number>
        <Money amount={line.amount} currency={currency} />
      </td>
      <td>{line.valueDay === null ? nothing : formatDay(line.valueDay, language)}</td>
      <td>{line.bankReference}</td>
      <td data-long>{line.text}</td>
      <td>
        {t(line.kind === null ? 'officeReconciliation.matched' : `officeReconciliation.kind.${line.kind}`)}
      </td>
    </tr>
  );
}
