import { batchFieldsOf } from '@hengfu/contract/payout-batch-rows';
import { type ReactElement, useState } from 'react';
import { formatCount } from '../../../platform/format.ts';
import { useLanguage, useT } from '../../../platform/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/section.tsx';
import { type Draft, type RowState, rowStates, type ValidatedRow } from './batch-draft.ts';
import styles from './batch-editor.module.css';
import { BatchTableRow } from './batch-table-row.tsx';

const pageRows = 50;

interface BatchTableProps {
  draft: Draft;
  rows: readonly ValidatedRow[];
}

/**
 * The rows of a draft, fifty per page: all of them or those in one state. Rows stay listed while they are
 * being corrected; choosing the filter again removes those whose state has changed.
 */
export function BatchTable({ draft, rows }: BatchTableProps): ReactElement {
  const t = useT();
  const [view, setView] = useState<{ state?: RowState; lines?: ReadonlySet<number>; page: number }>({
    page: 0,
  });
  const chosen = view.lines ? rows.filter(({ line }) => view.lines?.has(line)) : rows;
  const page = Math.min(view.page, Math.max(0, Math.ceil(chosen.length / pageRows) - 1));
  const shown = chosen.slice(page * pageRows, (page + 1) * pageRows);
  const choose = (state?: RowState) => {
    const lines = rows.filter((row) => row.state === state).map(({ line }) => line);
    setView(state ? { state, lines: new Set(lines), page: 0 } : { page: 0 });
  };
  return (
    <Section isCard title={t('payoutBatches.tableTitle', { name: draft.name })}>
      <Filters rows={rows} chosen={view.state} onChoose={choose} />
      {shown.length === 0 && <p className={styles.none}>{t('payoutBatches.nothingToShow')}</p>}
      {shown.length > 0 && <Rows draft={draft} rows={shown} />}
      <Pager count={chosen.length} page={page} onTurn={(to) => setView({ ...view, page: to })} />
    </Section>
  );
}

interface FiltersProps {
  rows: readonly ValidatedRow[];
  chosen: RowState | undefined;
  onChoose: (state?: RowState) => void;
}

function Filters({ rows, chosen, onChoose }: FiltersProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const figure = (count: number) => formatCount(count, language);
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{t('payoutBatches.show')}</legend>
      <Button aria-pressed={chosen === undefined} onClick={() => onChoose()}>
        {t('payoutBatches.all')} {figure(rows.length)}
      </Button>
      {rowStates.map((state) => (
        <Button key={state} aria-pressed={chosen === state} onClick={() => onChoose(state)}>
          {t(`payoutBatches.${state}`)} {figure(rows.filter((row) => row.state === state).length)}
        </Button>
      ))}
    </fieldset>
  );
}

function Rows({ draft: { channel }, rows }: BatchTableProps): ReactElement {
  const t = useT();
  const fields = batchFieldsOf(channel);
  return (
    <div className={styles.scroll}>
      <table className={styles.rows}>
        <thead>
          <tr>
            <th data-align="end">{t('payoutBatches.line')}</th>
            <th>{t('payoutBatches.state')}</th>
            {fields.map((field) => (
              <th key={field} data-align={field === 'amount' ? 'end' : undefined}>
                {t(`payoutBatches.column.${field}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BatchTableRow key={row.line} channel={channel} fields={fields} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PagerProps {
  count: number;
  page: number;
  onTurn: (page: number) => void;
}

function Pager({ count, page, onTurn }: PagerProps): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  if (count <= pageRows) return null;
  const figure = (number: number) => formatCount(number, language);
  const to = Math.min(count, (page + 1) * pageRows);
  return (
    <nav className={styles.pager} aria-label={t('payoutBatches.pages')}>
      <span>
        {t('payoutBatches.page', { from: figure(page * pageRows + 1), to: figure(to), count: figure(count) })}
      </span>
      <Button icon="chevronLeft" disabled={page === 0} onClick={() => onTurn(page - 1)}>
        {t('payoutBatches.previous')}
      </Button>
      <Button disabled={to === count} onClick={() => onTurn(page + 1)}>
        {t('payoutBatches.next')}
      </Button>
    </nav>
  );
}
