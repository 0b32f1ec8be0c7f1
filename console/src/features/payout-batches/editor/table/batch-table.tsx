import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type ReactElement, useState } from 'react';
import { type Draft, type RowState, rowStates, type ValidatedRow } from '../batch-draft.ts';
import styles from '../batch-editor.module.css';
import { BatchRows } from './batch-rows.tsx';

interface BatchTableProps {
  draft: Draft;
  rows: readonly ValidatedRow[];
}

/**
 * The rows of a draft: all of them or those in one state. Rows stay listed while they are being corrected;
 * choosing the filter again removes those whose state has changed.
 */
export function BatchTable({ draft, rows }: BatchTableProps): ReactElement {
  const t = useT();
  const [view, setView] = useState<{ state?: RowState; lines?: ReadonlySet<number>; version: number }>({
    version: 0,
  });
  const shown = view.lines ? rows.filter(({ line }) => view.lines?.has(line)) : rows;
  const choose = (state?: RowState) => {
    const lines = rows.filter((row) => row.state === state).map(({ line }) => line);
    const version = view.version + 1;
    setView(state ? { state, lines: new Set(lines), version } : { version });
  };
  return (
    <Section isCard title={t('payoutBatches.tableTitle', { name: draft.name })}>
      <Filters rows={rows} chosen={view.state} onChoose={choose} />
      {shown.length === 0 && <p className={styles.none}>{t('payoutBatches.nothingToShow')}</p>}
      {/* Another choice of rows begins at its top. */}
      {shown.length > 0 && <BatchRows key={view.version} draft={draft} rows={shown} />}
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
