import {
  type AmountForm,
  amountColumns,
  amountForms,
  dateOrders,
  type StatementMapping,
} from '@hengfu/contract/staff/statement-mapping';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { type ReactElement, useState } from 'react';
import { type ColumnName, guessAmountForm, guessColumns } from './guess-columns.ts';

interface ColumnFieldsProps {
  form: FormState;
  saved: StatementMapping['csv'];
  /** The headings of the file, from which the columns are chosen. */
  headings: readonly string[];
}

/** Which column is which, and how amounts and dates are written. Proposes what the headings suggest. */
export function ColumnFields({ form, saved, headings }: ColumnFieldsProps): ReactElement {
  const t = useT();
  const guessed = guessColumns(headings);
  const [amountForm, setAmountForm] = useState<AmountForm>(saved?.amountForm ?? guessAmountForm(guessed));
  const column = (name: ColumnName) => (
    <ColumnField
      key={name}
      form={form}
      name={name}
      given={saved ? saved[name] : (guessed[name] ?? '')}
      headings={headings}
    />
  );
  return (
    <FieldGrid>
      {column('reference')}
      {column('date')}
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
      {amountColumns[amountForm].map((name) =>
        name === 'creditWord' ? (
          <TextField
            key={name}
            form={form}
            name={name}
            label={t('officeReconciliation.column.creditWord')}
            defaultValue={saved?.creditWord ?? ''}
            autoComplete="off"
          />
        ) : (
          column(name)
        ),
      )}
      <SelectField
        form={form}
        name="decimalMark"
        label={t('officeReconciliation.decimalMark')}
        defaultValue={saved?.decimalMark ?? 'point'}
      >
        {(['point', 'comma'] as const).map((name) => (
          <option key={name} value={name}>
            {t(`officeReconciliation.decimalMarks.${name}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        form={form}
        name="dateOrder"
        label={t('officeReconciliation.dateOrder')}
        defaultValue={saved?.dateOrder ?? 'ymd'}
      >
        {dateOrders.map((name) => (
          <option key={name} value={name}>
            {t(`officeReconciliation.dateOrders.${name}`)}
          </option>
        ))}
      </SelectField>
      {(['bankReference', 'text'] as const).map(column)}
    </FieldGrid>
  );
}

interface ColumnFieldProps {
  form: FormState;
  name: ColumnName;
  given: string;
  headings: readonly string[];
}

/** One column, chosen by its heading. A saved one that this file lacks stays in the list. */
function ColumnField({ form, name, given, headings }: ColumnFieldProps): ReactElement {
  const t = useT();
  const choices = [...new Set([...headings.filter((heading) => heading !== ''), given].filter(Boolean))];
  return (
    <SelectField
      form={form}
      name={name}
      label={t(`officeReconciliation.column.${name}`)}
      defaultValue={given}
    >
      <option value="">{t('officeReconciliation.noColumn')}</option>
      {choices.map((heading) => (
        <option key={heading} value={heading}>
          {heading}
        </option>
      ))}
    </SelectField>
  );
}
