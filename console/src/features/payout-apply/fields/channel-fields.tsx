import { bankNameIn, banksOf } from '@hengfu/contract/banks';
import { type ChannelCode, type ChannelField, channelFields, pixKeyTypes } from '@hengfu/contract/channels';
import { ifscPattern } from '@hengfu/contract/payout-fields';
import { ComboboxField, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { branchOptions } from '../payout-apply.api.ts';
import { type CardBank, useCardBank } from './use-card-bank.ts';

interface ChannelFieldsProps {
  form: FormState;
  channel: ChannelCode;
}

/** Shows only the fields that a channel requires, including the account, in the order people fill them. */
export function ChannelFields({ form, channel }: ChannelFieldsProps): ReactElement {
  const t = useT();
  const cardBank = useCardBank(channel);
  const fields: readonly ChannelField[] = channelFields[channel];
  return (
    <>
      {fields.includes('accountType') && (
        <SelectField form={form} name="accountType" label={t('payouts.accountType')}>
          <option value="">{t('payouts.choose')}</option>
          {pixKeyTypes.map((type) => (
            <option key={type} value={type}>
              {t(`payouts.pixKey.${type}`)}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        form={form}
        name="payeeAccount"
        label={t('payouts.payeeAccount')}
        hint={t(`payouts.accountHint.${channel}`)}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        onInput={({ currentTarget }) => void cardBank.onAccount(currentTarget)}
      />
      {fields.includes('bank') && <BankField form={form} channel={channel} cardBank={cardBank} />}
      {fields.includes('bankName') && (
        <TextField
          form={form}
          name="bankName"
          label={t('payouts.bankName')}
          hint={t('payouts.bankNameHint')}
          autoComplete="off"
          maxLength={100}
        />
      )}
      {fields.includes('ifsc') && <IfscField form={form} />}
      {fields.includes('taxId') && (
        <TextField
          form={form}
          name="taxId"
          label={t('payouts.taxId')}
          hint={t('payouts.taxIdHint')}
          autoComplete="off"
          maxLength={32}
        />
      )}
    </>
  );
}

interface BankFieldProps extends ChannelFieldsProps {
  cardBank: CardBank;
}

function BankField({ form, channel, cardBank }: BankFieldProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { recognized, isOther, onChosen } = cardBank;
  const hint = recognized
    ? t(isOther ? 'payouts.bankOfCardDiffers' : 'payouts.bankOfCard', {
        bank: bankNameIn(recognized, language),
      })
    : t('payouts.bankHint');
  return (
    <ComboboxField
      form={form}
      name="bank"
      label={t('payouts.bank')}
      hint={hint}
      placeholder={t('payouts.choose')}
      defaultValue=""
      recentKey={`bank:${channel}`}
      options={(banksOf[channel] ?? []).map((bank) => ({
        value: bank.code,
        label: bankNameIn(bank, language),
        keywords: [bank.code, bank.name, bank.latinName, bank.initials].filter((word) => word !== undefined),
      }))}
      onChosen={(code, element) => onChosen(element, code)}
    />
  );
}

/** The branch code, with the bank and branch that it names. */
function IfscField({ form }: { form: FormState }): ReactElement {
  const t = useT();
  const [code, setCode] = useState('');
  const ifsc = code.trim().toUpperCase();
  const { data, isError } = useQuery({ ...branchOptions(ifsc), enabled: ifscPattern.test(ifsc) });
  const hint = data ? t('payouts.ifscFound', data) : isError ? t('validation.ifsc') : t('payouts.ifscHint');
  return (
    <TextField
      form={form}
      name="ifsc"
      label={t('payouts.ifsc')}
      hint={hint}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={11}
      onInput={(event) => setCode(event.currentTarget.value)}
    />
  );
}
