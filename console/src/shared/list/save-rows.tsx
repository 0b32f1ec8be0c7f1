import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { SelectedRows } from '@hengfu/ui/list/selection-bar.tsx';
import { spreadsheetCell } from '@hengfu/ui/values/spreadsheet-text.ts';
import type { ReactElement } from 'react';
import { saveFile } from '../../platform/save-file.ts';

/** Excel takes a file for UTF-8 only if it begins with this. */
const byteOrderMark = '\ufeff';

/** Saves marked rows, as they are shown, as a CSV file. */
export function SaveRows({ name, rows }: { name: string; rows: SelectedRows }): ReactElement {
  const t = useT();
  const save = () => {
    const lines = rows.cells().map((row) => `${row.map(spreadsheetCell).join(',')}\r\n`);
    saveFile(new Blob([byteOrderMark, ...lines], { type: 'text/csv' }), `${name}.csv`);
  };
  return (
    <Button icon="table" onClick={save}>
      {t('ui.saveRows')}
    </Button>
  );
}
