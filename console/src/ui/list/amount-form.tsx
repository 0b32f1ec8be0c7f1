import { type Currency, currencyScale, parseAmount } from '@hengfu/contract/money';
import { type ReactElement, useId, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import styles from './filters.module.css';
import type { ChangeSearch, FilterOfKind } from './list-types.ts';
import { FormButtons } from './text-filter.tsx';

export type AmountFault = 'from' | 'to' | 'order';

/** What people type around the digits ("1 000,", "¥") is not guessed at, but grouping commas are plain. */
export function normalAmount(text: string): string {
  return text.trim().replaceAll(/,(?=\d{3}(\D|$))/g, '');
}

/** What is wrong with a pair of amounts; both ends are in the range, either may be left open. */
export function amountFault(from: string, to: string, currency: Currency): AmountFault | undefined {
  const low = from === '' ? undefined : parseAmount(from, currency);
  const high = to === '' ? undefined : parseAmount(to, currency);
  if (from !== '' && low === undefined) return 'from';
  if (to !== '' && high === undefined) return 'to';
  return low !== undefined && high !== undefined && high < low ? 'order' : undefined;
}

/** An amount range in the merchant's home currency. */
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
  const id = useId();
  const { currency } = useUser().merchant;
  const [draft, setDraft] = useState({ from, to });
  const [fault, setFault] = useState<AmountFault>();
  const end = (name: 'from' | 'to', label: string) => (
    <label className={styles.field}>
      {label}
      <input
        type="text"
        inputMode={currencyScale[currency] === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={draft[name]}
        aria-invalid={fault === name || (fault === 'order' && name === 'to')}
        aria-describedby={fault ? id : undefined}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
    </label>
  );
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const plain = { from: normalAmount(draft.from), to: normalAmount(draft.to) };
        const found = amountFault(plain.from, plain.to, currency);
        setFault(found);
        if (!found) apply({ [filter.from]: plain.from || undefined, [filter.to]: plain.to || undefined });
      }}
    >
      <div className={styles.pair}>
        {end('from', t('ui.amountFrom', { currency }))}
        {end('to', t('ui.amountTo', { currency }))}
      </div>
      {fault && (
        <p id={id} role="alert" className={styles.fault}>
          {t(fault === 'order' ? 'ui.amountOrder' : 'validation.amount')}
        </p>
      )}
      <FormButtons onClear={() => apply({ [filter.from]: undefined, [filter.to]: undefined })} />
    </form>
  );
}
