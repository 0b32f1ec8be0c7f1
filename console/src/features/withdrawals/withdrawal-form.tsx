import { looksLike, type Network, networkCodes } from '@hengfu/contract/wallets';
import { type WithdrawalRow, type WithdrawalTerms, withdrawalOrder } from '@hengfu/contract/withdrawals';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Form, SelectField, TextField } from '../../ui/form.tsx';
import { useMoneyText, useUnitText } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { SideBySide } from '../../ui/sums.tsx';
import type { FormState } from '../../ui/use-form.ts';
import { usePaymentForm } from '../../ui/use-payment-form.ts';
import { WithdrawalConfirm } from './withdrawal-confirm.tsx';
import styles from './withdrawal-form.module.css';
import { sumsOf } from './withdrawal-sums.ts';
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
  const { form, order, reopen } = usePaymentForm({
    schema: withdrawalOrder,
    costOf: ({ amount, unit }) => {
      const { totalMinor } = sumsOf(terms, amount, unit) ?? {};
      return totalMinor === undefined ? undefined : { totalMinor, currency: terms.currency };
    },
  });
  return (
    <SideBySide>
      <Section isCard title={t('withdrawals.formTitle')}>
        <Form state={form} action={t('payouts.goOn')}>
          <SelectField
            form={form}
            name="unit"
            label={t('withdrawals.unit')}
            value={typed.unit}
            onChange={({ target }) => setTyped({ ...typed, unit: target.value === 'home' ? 'home' : 'usdt' })}
          >
            <option value="usdt">USDT</option>
            <option value="home">{terms.currency}</option>
          </SelectField>
          <TextField
            form={form}
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
          <WalletFields form={form} />
        </Form>
      </Section>
      <WithdrawalTermsCard terms={terms} {...typed} />
      {order && (
        <WithdrawalConfirm
          order={order}
          terms={terms}
          onFaults={reopen}
          onClose={() => reopen()}
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
