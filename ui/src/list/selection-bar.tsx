import { type ReactElement, type ReactNode, type RefObject, useState } from 'react';
import { writeClipboard } from '../browser/clipboard.ts';
import { Button } from '../controls/button.tsx';
import { toast } from '../feedback/toast.ts';
import { formatCount } from '../language/format.ts';
import { useLanguage, useT } from '../language/i18n.ts';
import { spreadsheetText } from '../values/spreadsheet-text.ts';
import styles from './list-page.module.css';
import type { Selection } from './use-selection.ts';

/** The marked rows, for the app's own actions. */
export interface SelectedRows {
  keys: readonly string[];
  /** The headings and the marked rows, cell by cell, as they are shown. */
  cells(): string[][];
}

interface SelectionBarProps {
  selection: Selection;
  /** Contains the table. */
  region: RefObject<HTMLElement | null>;
  actions: ((rows: SelectedRows) => ReactNode) | undefined;
}

/** Offers what can be done with the marked rows. */
export function SelectionBar({ selection, region, actions }: SelectionBarProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const keys = [...selection.keys];
  const rows = { keys, cells: () => cellsOf(region.current) };
  return (
    <section className={styles.selection} aria-label={t('ui.selection')}>
      <strong role="status">{t('ui.selected', { number: formatCount(keys.length, language) })}</strong>
      <CopyAction label={t('ui.copyNumbers')} text={() => keys.join('\n')} />
      <CopyAction
        label={t('ui.copyRows')}
        text={() =>
          rows
            .cells()
            .map((row) => row.map(spreadsheetText).join('\t'))
            .join('\n')
        }
      />
      {actions?.(rows)}
      <Button icon="close" onClick={selection.clear}>
        {t('ui.clearSelection')}
      </Button>
    </section>
  );
}

function CopyAction({ label, text }: { label: string; text: () => string }): ReactElement {
  const t = useT();
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await writeClipboard(text());
      setDone(true);
    } catch {
      toast('error', t('ui.copyFailed'), 'copy');
    }
  };
  return (
    <Button icon={isDone ? 'check' : 'copy'} onClick={() => void copy()} onBlur={() => setDone(false)}>
      {isDone ? t('ui.copied') : label}
    </Button>
  );
}

/** Reads headings and marked rows from the table on screen. */
function cellsOf(region: HTMLElement | null): string[][] {
  // As shown: without hidden texts, and with spaces between the parts of a cell.
  // biome-ignore lint/performance/useDomNodeTextContent: a page has two hundred rows at most.
  const text = (cell: HTMLElement) => cell.innerText.replace(/\s+/g, ' ').trim();
  const headings = [...(region?.querySelectorAll<HTMLElement>('thead th') ?? [])];
  const rows = [...(region?.querySelectorAll('tbody tr[data-selected="true"]') ?? [])];
  return [
    headings.map((heading) => heading.getAttribute('aria-label') ?? ''),
    ...rows.map((row) => [...row.querySelectorAll('td')].map(text)),
  ];
}
