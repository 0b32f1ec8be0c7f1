import { ApiError } from '@hengfu/client/api-error.ts';
import type { ChannelCode } from '@hengfu/contract/channels';
import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import type { StatementFormat } from '@hengfu/contract/staff/statement-days';
import { type StatementMapping, statementMapping } from '@hengfu/contract/staff/statement-mapping';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { ComboboxField, Form, TextField } from '@hengfu/ui/form/form.tsx';
import { type FormBody, useSubmission } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { messageOf } from '../../../platform/failures.ts';
import { call } from '../../../platform/http.ts';
import styles from '../reconciliation.module.css';
import { ColumnFields } from './column-fields.tsx';
import { type Cut, guessCut, previewOf } from './csv-preview.ts';
import { CutFields } from './cut-fields.tsx';
import { columnNames } from './guess-columns.ts';

interface MappingFormProps {
  channel: ChannelCode;
  saved: StatementMapping | null;
  file: File;
  format: StatementFormat;
  onSaved: () => void;
  onCancel: () => void;
}

/** Saves how the statements of a channel are read. Of a CSV file it shows the first rows, and offers the headings as columns. */
export function MappingForm(props: MappingFormProps): ReactElement | null {
  const { file, saved } = props;
  const { data: guessed } = useQuery({
    queryKey: ['guessed cut', file.name, file.size, file.lastModified],
    queryFn: () => guessCut(file),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!guessed) return null;
  return <Fields {...props} cut={saved?.csv ?? guessed} />;
}

function Fields({
  channel,
  saved,
  file,
  format,
  onSaved,
  onCancel,
  cut: first,
}: MappingFormProps & { cut: Cut }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const [cut, setCut] = useState<Cut>(first);
  const isCsv = format === 'csv';
  const form = useSubmission({
    send: (body) =>
      call(reconciliationEndpoints.saveMapping, { params: { channel }, body: toMapping(body, isCsv, saved) }),
    onDone: () => {
      toast('success', t('officeReconciliation.mappingSaved'));
      void client.invalidateQueries({ queryKey: [reconciliationEndpoints.mapping.path] });
      onSaved();
    },
    refusalOf: (error) => {
      const given = error instanceof ApiError ? Object.entries(error.fieldErrors) : [];
      const faults = Object.fromEntries(given.map(([name, texts]) => [name.replace(/^csv\./, ''), texts]));
      return { faults, text: given.length > 0 ? undefined : messageOf(error) };
    },
  });
  const preview = useQuery({
    queryKey: ['statement preview', file.name, file.size, file.lastModified, cut],
    queryFn: async () => (await previewOf(file, cut)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const headings = preview.data?.headings ?? [];
  return (
    <Form
      state={form}
      action={t('officeReconciliation.saveMapping')}
      extra={<Button onClick={onCancel}>{t('officeReconciliation.cancel')}</Button>}
      isWide
    >
      <p>
        <strong>{t('officeReconciliation.mapping')}</strong>
        <span className={styles.sub}>{t('officeReconciliation.mappingText')}</span>
      </p>
      <FieldGrid>
        <ComboboxField
          form={form}
          name="zone"
          label={t('officeReconciliation.zone')}
          placeholder={t('officeMerchants.chooseZone')}
          defaultValue={saved?.zone ?? zoneOf[channel]}
          options={zones().map((name) => ({ value: name, label: name }))}
        />
        <TextField
          form={form}
          name="dayEnds"
          label={t('officeReconciliation.dayEnds')}
          hint={t('officeReconciliation.dayEndsHint')}
          defaultValue={saved?.dayEnds ?? '00:00'}
          autoComplete="off"
        />
      </FieldGrid>
      {isCsv && (
        <>
          <CutFields form={form} cut={cut} onCut={setCut} preview={preview.data} />
          <ColumnFields
            // Other headings offer other columns.
            key={headings.join('\n')}
            form={form}
            saved={saved?.csv ?? null}
            headings={headings}
          />
        </>
      )}
    </Form>
  );
}

const zones = () => [...new Set([...Object.values(zoneOf), ...Intl.supportedValuesOf('timeZone'), 'UTC'])];

/** The zones of the channels' countries. */
const zoneOf: Readonly<Record<ChannelCode, string>> = {
  CN_BANK: 'Asia/Shanghai',
  VN_NAPAS: 'Asia/Ho_Chi_Minh',
  IN_IMPS: 'Asia/Kolkata',
  BR_PIX: 'America/Sao_Paulo',
};

/** The form's fields as a mapping. A camt.053 file leaves the columns of CSV files as they were. */
function toMapping(body: FormBody, isCsv: boolean, saved: StatementMapping | null): StatementMapping {
  const { zone, dayEnds, ...csv } = body;
  const columns = Object.fromEntries([...columnNames, 'creditWord'].map((name) => [name, csv[name] ?? '']));
  const mapping = { zone, dayEnds, csv: isCsv ? { ...csv, ...columns } : (saved?.csv ?? null) };
  const checked = statementMapping.safeParse(mapping);
  // The server says what is wrong, field by field.
  return checked.success ? checked.data : (mapping as unknown as StatementMapping);
}
