import { type ReactElement, useState } from 'react';
import * as z from 'zod';
import { ComboboxField, Form, LinesField, SelectField, TextField } from '../../src/form/form.tsx';
import { useSubmission } from '../../src/form/form-state.ts';
import { ImageField } from '../../src/form/image-field.tsx';
import { useT } from '../../src/language/i18n.ts';

const schema = z.object({
  name: z.string().trim().min(1, 'validation.viewName'),
  amount: z.string().regex(/^\d+(\.\d{1,2})?$/, 'validation.amount'),
});

/** A refusal by the service that the form calls, with a message for a field. */
class NameTaken extends Error {}

/** Every kind of field. The name "taken" is refused, as a service would. */
export function FormScene(): ReactElement {
  const t = useT();
  const [sent, setSent] = useState('');
  const form = useSubmission({
    schema,
    send: async ({ name }) => {
      if (name === 'taken') throw new NameTaken();
      return String(name);
    },
    onDone: setSent,
    refusalOf: (error) =>
      error instanceof NameTaken ? { faults: { name: [t('errors.conflict')] }, text: undefined } : undefined,
  });
  return (
    <>
      <h1>Form</h1>
      <Form state={form} action={t('ui.apply')}>
        <TextField form={form} name="name" label={t('ui.viewName')} hint={t('ui.findsExact')} />
        <TextField form={form} name="amount" label={t('collections.amount')} inputMode="decimal" />
        <SelectField form={form} name="currency" label={t('ui.columns')}>
          <option value="CNY">CNY</option>
          <option value="USD">USD</option>
        </SelectField>
        <ComboboxField
          form={form}
          name="zone"
          label={t('profile.zone')}
          options={['Asia/Shanghai', 'Asia/Ho_Chi_Minh', 'America/Sao_Paulo'].map((value) => ({
            value,
            label: value,
          }))}
          defaultValue=""
          placeholder={t('ui.search')}
        />
        <LinesField form={form} name="note" label={t('collections.subject')} rows={3} />
        <ImageField
          form={form}
          name="image"
          label={t('ui.imagePreview')}
          hint={t('ui.dropImage')}
          refusal={t('ui.nothingFound')}
        />
      </Form>
      <p role="status">{sent}</p>
    </>
  );
}
