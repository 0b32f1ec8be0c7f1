import { looksLike, type Network, networkCodes } from '@hengfu/contract/wallets';
import {
  type WithdrawalOrder,
  type WithdrawalRow,
  type WithdrawalTerms,
  withdrawalOrder,
} from '@hengfu/contract/withdrawals';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useRef, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { checkFields } from '../../ui/check-fields.ts';
import { Form, SelectField, TextField } from '../../ui/form.tsx';
import { useMoneyText, useUnitText } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { SideBySide } from '../../ui/sums.tsx';
import { type FormState, without } from '../../ui/use-form.ts';
import { WithdrawalConfirm } from './withdrawal-confirm.tsx';
import styles from './withdrawal-form.module.css';
import { WithdrawalTermsCard } from './withdrawal-terms.tsx';
import { addressesOptions } from './withdrawals.api.ts';

interface WithdrawalFormProps {
  terms: WithdrawalTerms;
  onMade: (withdrawal: WithdrawalRow) => void;
}

/** The form for a withdrawal with its totals beside it, followed by a confirmation. */
export function WithdrawalForm({ terms, onMade }: WithdrawalFormProps): ReactElement {
  const t = useT();
  const money = useMoneyText();
  const unit = useUnitText();
  const [typed, setTyped] = useState({ amount: '', unit: 'usdt' as 'usdt' | 'home' });
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const [order, setOrder] = useState<WithdrawalOrder>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const checked = checkFields(event.currentTarget, withdrawalOrder);
    setFaults(checked.faults);
    setIncomplete(checked.isIncomplete);
    if (checked.data) setOrder(checked.data);
  };
  const forget = (name: string) => setFaults((known) => without(known, name));
  const state: FormState = {
    faults,
    refusal: undefined,
    isIncomplete: isIncomplete && Object.keys(faults).length > 0,
    isBusy: false,
    submit,
    forget,
  };
  return (
    <SideBySide>
      <Section isCard title={t('withdrawals.formTitle')}>
        <Form state={state} action={t('payouts.goOn')}>
          <SelectField
            form={state}
            name="unit"
            label={t('withdrawals.unit')}
            value={typed.unit}
            onChange={({ target }) => setTyped({ ...typed, unit: target.value === 'home' ? 'home' : 'usdt' })}
          >
            <option value="usdt">USDT</option>
            <option value="home">{terms.currency}</option>
          </SelectField>
          <TextField
            form={state}
            name="amount"
            label={t('withdrawals.amountToWithdraw')}
            hint={[
              unit(typed.unit === 'usdt' ? 'USDT' : terms.currency),
              t('withdrawals.minimum', { amount: money(terms.minimumUsdt, 'USDT') }),
            ].join(' · ')}
            inputMode="decimal"
            autoComplete="off"
            maxLength={19}
            onInput={({ currentTarget }) => setTyped({ ...typed, amount: currentTarget.value })}
          />
          <WalletFields form={state} />
        </Form>
      </Section>
      <WithdrawalTermsCard terms={terms} {...typed} />
      {order && (
        <WithdrawalConfirm
          order={order}
          terms={terms}
          onFaults={(found) => {
            setOrder(undefined);
            setFaults(found);
          }}
          onClose={() => setOrder(undefined)}
          onMade={onMade}
        />
      )}
    </SideBySide>
  );
}

/** Network and address. Offers earlier addresses, and warns of one that only looks like an earlier one. */
function WalletFields({ form }: { form: FormState }): ReactElement {
  const t = useT();
  const addressRef = useRef<HTMLInputElement>(null);
  const [network, setNetwork] = useState<Network | ''>('');
  const [address, setAddress] = useState('');
  const { data: known = [] } = useQuery(addressesOptions);
  const lookalike = known.find((one) => looksLike(one.address, address.trim()));
  const choose = (chosen: string) => {
    if (addressRef.current) addressRef.current.value = chosen;
    setAddress(chosen);
    form.forget('address');
  };
  return (
    <>
      <SelectField
        form={form}
        name="network"
        label={t('withdrawals.network')}
        value={network}
        onChange={({ target }) => setNetwork(networkCodes.find((code) => code === target.value) ?? '')}
      >
        <option value="">{t('payouts.choose')}</option>
        {networkCodes.map((code) => (
          <option key={code} value={code}>
            {t(`withdrawals.networks.${code}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        ref={addressRef}
        form={form}
        name="address"
        label={t('withdrawals.address')}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        onInput={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      {lookalike && <Notice tone="bad">{t('withdrawals.looksLike', { address: lookalike.address })}</Notice>}
      {network !== '' && address === '' && (
        <ul className={styles.known} aria-label={t('withdrawals.knownAddresses')}>
          {known
            .filter((one) => one.network === network)
            .map((one) => (
              <li key={one.address}>
                <button type="button" onClick={() => choose(one.address)}>
                  {one.address}
                </button>
              </li>
            ))}
        </ul>
      )}
    </>
  );
}
