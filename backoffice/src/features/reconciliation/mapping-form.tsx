import { ApiError } from '@hengfu/client/api-error.ts';
import type { ChannelCode } from '@hengfu/contract/channels';
import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import type { StatementFormat } from '@hengfu/contract/staff/statement-days';
import {
  type AmountForm,
  amountColumns,
  amountForms,
  dateOrders,
  type StatementMapping,
  statementMapping,
} from '@hengfu/contract/staff/statement-mapping';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { type FormBody, type FormState, useSubmission } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { messageOf } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { type Cut, guessCut } from './csv-preview.ts';
import { CutFields } from './cut-fields.tsx';
import styles from './reconciliation.module.css';

interface MappingFormProps {
  channel: ChannelCode;
  saved: StatementMapping | null;
  file: File;
  format: StatementFormat;
  onSaved: () => void;
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
  const headings = useId();
  return (
    <Form state={form} action={t('officeReconciliation.saveMapping')}>
      <p>
        <strong>{t('officeReconciliation.mapping')}</strong>
        <span className={styles.sub}>{t('officeReconciliation.mappingText')}</span>
      </p>
      <TextField
        form={form}
        name="zone"
        label={t('officeReconciliation.zone')}
        hint={t('officeReconciliation.zoneHint')}
        defaultValue={saved?.zone ?? zoneOf[channel]}
        autoComplete="off"
      />
      <TextField
        form={form}
        name="dayEnds"
        label={t('officeReconciliation.dayEnds')}
        hint={t('officeReconciliation.dayEndsHint')}
        defaultValue={saved?.dayEnds ?? '00:00'}
        autoComplete="off"
      />
      {isCsv && (
        <>
          <CutFields form={form} file={file} cut={cut} onCut={setCut} headings={headings} />
          <ColumnFields form={form} saved={saved} headings={headings} />
        </>
      )}
    </Form>
  );
}

interface ColumnFieldsProps {
  form: FormState;
  saved: StatementMapping | null;
  headings: string;
}

/** Which column is which, and how amounts and dates are written. */
function ColumnFields({ form, saved, headings }: ColumnFieldsProps): ReactElement {
  const t = useT();
  const [amountForm, setAmountForm] = useState<AmountForm>(saved?.csv?.amountForm ?? 'signed');
  const column = (name: ColumnName) => (
    <TextField
      key={name}
      form={form}
      name={name}
      label={t(`officeReconciliation.column.${name}`)}
      defaultValue={saved?.csv?.[name] ?? ''}
      list={name === 'creditWord' ? undefined : headings}
      autoComplete="off"
    />
  );
  return (
    <>
      {column('reference')}
      <SelectField
        form={form}
        name="amountForm"
        label={t('officeReconciliation.amountForm')}
        defaultValue={amountForm}
        onChange={({ target }) => setAmountForm(target.value as AmountForm)}
      >
        {amountForms.map((name) => (
          <option key={name} value={name}>
            {t(`officeReconciliation.amountForms.${name}`)}
          </option>
        ))}
      </SelectField>
      {amountColumns[amountForm].map(column)}
      <SelectField
        form={form}
        name="decimalMark"
        label={t('officeReconciliation.decimalMark')}
        defaultValue={saved?.csv?.decimalMark ?? 'point'}
      >
        {(['point', 'comma'] as const).map((name) => (
          <option key={name} value={name}>
            {t(`officeReconciliation.decimalMarks.${name}`)}
          </option>
        ))}
      </SelectField>
      {column('date')}
      <SelectField
        form={form}
        name="dateOrder"
        label={t('officeReconciliation.dateOrder')}
        defaultValue={saved?.csv?.dateOrder ?? 'ymd'}
      >
        {dateOrders.map((name) => (
          <option key={name} value={name}>
            {t(`officeReconciliation.dateOrders.${name}`)}
          </option>
        ))}
      </SelectField>
      {(['bankReference', 'text'] as const).map(column)}
    </>
  );
}

type ColumnName = keyof typeof columnNames;
const columnNames = {
  reference: true,
  amount: true,
  credit: true,
  debit: true,
  direction: true,
  creditWord: true,
  date: true,
  bankReference: true,
  text: true,
};

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
  const columns = Object.fromEntries(Object.keys(columnNames).map((name) => [name, csv[name] ?? '']));
  const mapping = { zone, dayEnds, csv: isCsv ? { ...csv, ...columns } : (saved?.csv ?? null) };
  const checked = statementMapping.safeParse(mapping);
  // The server says what is wrong, field by field.
  return checked.success ? checked.data : (mapping as unknown as StatementMapping);
}
