import { type Delimiter, delimiters, statementEncodings } from '@hengfu/contract/staff/statement-mapping';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { type Cut, type Preview, previewOf } from './csv-preview.ts';
import styles from './reconciliation.module.css';

interface CutFieldsProps {
  form: FormState;
  file: File;
  cut: Cut;
  onCut: (cut: Cut) => void;
  /** ID of the list of headings, for the fields of columns. */
  headings: string;
}

/** How the file is cut into cells, with its first rows. */
export function CutFields({ form, file, cut, onCut, headings }: CutFieldsProps): ReactElement {
  const t = useT();
  const preview = useQuery({
    queryKey: ['statement preview', file.name, file.size, file.lastModified, cut],
    queryFn: async () => (await previewOf(file, cut)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
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
      {preview.data === null && <p className={table.late}>{t('officeReconciliation.previewFailed')}</p>}
      {preview.data && <PreviewTable preview={preview.data} />}
      <datalist id={headings}>
        {[...new Set(preview.data?.headings)].map((heading) => (
          <option key={heading} value={heading} />
        ))}
      </datalist>
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
