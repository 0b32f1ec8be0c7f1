import { Fragment, type ReactElement, type ReactNode } from 'react';
import { DetailDrawer } from '../overlays/detail-drawer.tsx';
import type { OpenRow } from './use-search.ts';

/** How a row's detail is rendered. `row` is undefined if it is not among the rows on screen. */
export interface ListDetail<R> {
  title(key: string): string;
  render(key: string, row: R | undefined): ReactNode;
}

interface OpenDetailProps<R> {
  detail: ListDetail<R>;
  openKey: string;
  rows: readonly R[];
  rowKey: (row: R) => string;
  open: OpenRow;
}

/** Shows the detail of the open row, with buttons for the previous and next row on the page. */
export function OpenDetail<R>({ detail, openKey, rows, rowKey, open }: OpenDetailProps<R>): ReactElement {
  const index = rows.findIndex((row) => rowKey(row) === openKey);
  const step = (to: number) => {
    const row = index === -1 ? undefined : rows[to];
    return row === undefined ? undefined : () => open(rowKey(row), true);
  };
  return (
    <DetailDrawer
      title={detail.title(openKey)}
      onClose={() => open(undefined)}
      onPrevious={step(index - 1)}
      onNext={step(index + 1)}
    >
      {/* Mounted anew for each row: a question or an answer about one row must not show on the next. */}
      <Fragment key={openKey}>{detail.render(openKey, rows[index])}</Fragment>
    </DetailDrawer>
  );
}
