import { currencyScale } from '@hengfu/contract/money';
import { type ReactElement, useState } from 'react';
import { useT } from '../language/i18n.ts';
import { useUiSettings } from '../language/ui-settings.ts';
import { type AmountFault, amountFault, normalAmount } from './amount-range.ts';
import styles from './filters.module.css';
import type { ChangeSearch, FilterOfKind } from './list-types.ts';
import { RangeForm } from './range-form.tsx';

/** Form of an amount range filter, in the currency of the app's user. */
export function AmountForm({
  filter,
  from = '',
  to = '',
  apply,
}: {
  filter: FilterOfKind<'amount'>;
  from: string | undefined;
  to: string | undefined;
  apply: ChangeSearch;
}): ReactElement {
  const t = useT();
  const { currency } = useUiSettings();
  const [draft, setDraft] = useState({ from, to });
  const [fault, setFault] = useState<AmountFault>();
  const submit = () => {
    const range = { from: normalAmount(draft.from), to: normalAmount(draft.to) };
    const isEmpty = range.from === '' && range.to === '' && from === '' && to === '';
    const found = isEmpty ? 'from' : amountFault(range.from, range.to, currency);
    setFault(found);
    if (!found) apply({ [filter.from]: range.from || undefined, [filter.to]: range.to || undefined });
  };
  const field = (name: 'from' | 'to', label: string, faultId: string | undefined) => (
    <label className={styles.field}>
      {label}
      <input
        type="text"
        inputMode={currencyScale[currency] === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={draft[name]}
        aria-invalid={fault === name || (fault === 'order' && name === 'to')}
        aria-describedby={faultId}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
    </label>
  );
  return (
    <RangeForm
      fault={fault && t(fault === 'order' ? 'ui.amountOrder' : 'validation.amount')}
      onSubmit={submit}
      onClear={() => apply({ [filter.from]: undefined, [filter.to]: undefined })}
    >
      {(faultId) => (
        <div className={styles.pair}>
          {field('from', t('ui.amountFrom', { currency }), faultId)}
          {field('to', t('ui.amountTo', { currency }), faultId)}
        </div>
      )}
    </RangeForm>
  );
}
