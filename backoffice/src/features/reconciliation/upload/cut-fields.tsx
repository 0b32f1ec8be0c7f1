import { type Delimiter, delimiters, statementEncodings } from '@hengfu/contract/staff/statement-mapping';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import type { ReactElement } from 'react';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import styles from '../reconciliation.module.css';
import type { Cut, Preview } from './csv-preview.ts';

interface CutFieldsProps {
  form: FormState;
  cut: Cut;
  onCut: (cut: Cut) => void;
  /** Undefined until it has been read; null if it cannot be read in this way. */
  preview: Preview | null | undefined;
}

/** How the file is cut into cells, with its first rows. */
export function CutFields({ form, cut, onCut, preview }: CutFieldsProps): ReactElement {
  const t = useT();
  return (
    <>
      <FieldGrid>
        <SelectField
          form={form}
          name="delimiter"
          label={t('officeReconciliation.delimiter')}
          defaultValue={cut.delimiter}
          onChange={({ target }) => onCut({ ...cut, delimiter: target.value as Delimiter })}
        >
          {(Object.keys(delimiters) as Delimiter[]).map((name) => (
            <option key={name} value={name}>
              {t(`officeReconciliation.delimiters.${name}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          form={form}
          name="encoding"
          label={t('officeReconciliation.encoding')}
          defaultValue={cut.encoding}
          onChange={({ target }) => onCut({ ...cut, encoding: target.value })}
        >
          {statementEncodings.map((name) => (
            <option key={name} value={name}>
              {t(`officeReconciliation.encodings.${name}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          form={form}
          name="headingRow"
          label={t('officeReconciliation.headingRow')}
          defaultValue={String(cut.headingRow)}
          inputMode="numeric"
          onChange={({ target }) => onCut({ ...cut, headingRow: Math.max(1, Number(target.value) || 1) })}
        />
      </FieldGrid>
      {preview === null && <p className={table.late}>{t('officeReconciliation.previewFailed')}</p>}
      {preview && <PreviewTable preview={preview} />}
    </>
  );
}

function PreviewTable({ preview }: { preview: Preview }): ReactElement {
  const t = useT();
  return (
    <div className={styles.preview}>
      <TableBox label={t('officeReconciliation.preview')}>
        <thead>
          <tr>
            {preview.headings.map((heading, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: headings may repeat
              <th key={at}>{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
            <tr key={at}>
              {row.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                <td key={place}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableBox>
    </div>
  );
}
