import { type ChannelCode, type ChannelField, channelFields } from '@hengfu/contract/channels';
import type { KnownPayee, PayoutChannel } from '@hengfu/contract/payouts';
import { TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { MoreFields } from '@hengfu/ui/form/more-fields.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useUnitText } from '@hengfu/ui/values/money.tsx';
import { type ReactElement, useCallback, useState } from 'react';
import styles from '../payout-form.module.css';
import { PayeeSuggestions } from './payee-suggestions.tsx';

interface FieldProps {
  form: FormState;
  channel: ChannelCode;
}

interface PayeeFieldProps extends FieldProps {
  /** An earlier payee was chosen. */
  onPayee: (payee: KnownPayee) => void;
}

/** The payee's name, with earlier payees that begin with it. */
export function PayeeField({ form, channel, onPayee }: PayeeFieldProps): ReactElement {
  const t = useT();
  const [search, setSearch] = useState('');
  const close = useCallback(() => setSearch(''), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the focus of what is in it.
    <div
      className={styles.payee}
      // Suggestions that arrive later must not open any more.
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || close()}
    >
      <TextField
        form={form}
        name="payee"
        label={t('payouts.payee')}
        autoComplete="off"
        maxLength={100}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <PayeeSuggestions
        channel={channel}
        search={search}
        onChosen={(payee) => {
          setSearch('');
          onPayee(payee);
        }}
        onClose={close}
      />
    </div>
  );
}

interface AmountFieldProps {
  form: FormState;
  channel: PayoutChannel;
  onAmount: (amount: string) => void;
}

export function AmountField({ form, channel: { currency }, onAmount }: AmountFieldProps): ReactElement {
  const t = useT();
  const unit = useUnitText();
  return (
    <TextField
      form={form}
      name="amount"
      label={t('payouts.amountIn', { currency })}
      hint={unit(currency)}
      inputMode="decimal"
      autoComplete="off"
      maxLength={19}
      onInput={(event) => onAmount(event.currentTarget.value)}
    />
  );
}

/** The fields that no payout needs, folded away. */
export function OptionalFields({ form, channel }: FieldProps): ReactElement {
  const t = useT();
  const fields: readonly ChannelField[] = channelFields[channel];
  const hasBranch = fields.includes('branchName');
  return (
    <MoreFields form={form} labels={[...(hasBranch ? [t('payouts.branchName')] : []), t('payouts.remark')]}>
      {hasBranch && (
        <TextField
          form={form}
          name="branchName"
          label={t('payouts.branchNameOptional')}
          autoComplete="off"
          maxLength={100}
        />
      )}
      <TextField
        form={form}
        name="remark"
        label={t('payouts.remarkOptional')}
        autoComplete="off"
        maxLength={140}
      />
    </MoreFields>
  );
}
