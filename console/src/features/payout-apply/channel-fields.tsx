import { type Bank, bankNameIn, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import { type ChannelField, channelFields, ifscPattern, pixKeyTypes } from '@hengfu/contract/payout-fields';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { ComboboxField, SelectField, TextField } from '../../ui/form.tsx';
import type { FormState } from '../../ui/use-form.ts';
import { branchOptions } from './payout-apply.api.ts';

interface ChannelFieldsProps {
  form: FormState;
  channel: ChannelCode;
}

/** Shows only the fields that a channel requires, including the account, in the order people fill them. */
export function ChannelFields({ form, channel }: ChannelFieldsProps): ReactElement {
  const t = useT();
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
      />
      {fields.includes('bank') && <BankField form={form} channel={channel} />}
      {fields.includes('bankName') && (
        <TextField
          form={form}
          name="bankName"
          label={t('payouts.bankName')}
          autoComplete="off"
          maxLength={100}
        />
      )}
      {fields.includes('branchName') && (
        <TextField
          form={form}
          name="branchName"
          label={t('payouts.branchNameOptional')}
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

function BankField({ form, channel }: ChannelFieldsProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const banks = banksOf[channel] ?? [];
  return (
    <ComboboxField
      form={form}
      name="bank"
      label={t('payouts.bank')}
      placeholder={t('payouts.choose')}
      defaultValue=""
      recentKey={`bank:${channel}`}
      options={banks.map((bank) => ({
        value: bank.code,
        label: bankNameIn(bank, language),
        keywords: [bank.code, bank.name, bank.latinName, bank.initials].filter((word) => word !== undefined),
      }))}
      onChosen={(code, element) => fillBankName(element, code, banks)}
    />
  );
}

/** Fills in the bank's name too, unless the field holds text that is not a listed bank's name. */
function fillBankName(form: HTMLFormElement | null, code: string, banks: readonly Bank[]): void {
  const field = form?.elements.namedItem('bankName');
  const chosen = banks.find((bank) => bank.code === code);
  if (!(field instanceof HTMLInputElement) || !chosen) return;
  if (field.value === '' || banks.some(({ name }) => name === field.value)) field.value = chosen.name;
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
