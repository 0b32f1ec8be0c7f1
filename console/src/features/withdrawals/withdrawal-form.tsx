import { type WithdrawalRow, type WithdrawalTerms, withdrawalOrder } from '@hengfu/contract/withdrawals';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ApplyLayout, FieldGrid, SubmitSum } from '@hengfu/ui/page/apply-layout.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useMoneyText, useUnitText } from '@hengfu/ui/values/money.tsx';
import { type ReactElement, useRef, useState } from 'react';
import { usePaymentForm } from '../../shared/payments/use-payment-form.ts';
import { LatestWithdrawals } from './latest-withdrawals.tsx';
import { Lookalike, RecentAddresses, type TypedWallet, WalletFields } from './wallet-fields.tsx';
import { WithdrawalConfirm } from './withdrawal-confirm.tsx';
import { sumsOf } from './withdrawal-sums.ts';
import { WithdrawalTermsCard, WithdrawalTotal } from './withdrawal-terms.tsx';

interface TypedAmount {
  amount: string;
  unit: 'usdt' | 'home';
}

interface WithdrawalFormProps {
  terms: WithdrawalTerms;
  onMade: (withdrawal: WithdrawalRow) => void;
}

/** The form for a withdrawal with its totals beside it, followed by a confirmation. */
export function WithdrawalForm({ terms, onMade }: WithdrawalFormProps): ReactElement {
  const t = useT();
  const addressRef = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<TypedAmount>({ amount: '', unit: 'usdt' });
  const [wallet, setWallet] = useState<TypedWallet>({ network: '', address: '' });
  const { form, order, reopen } = usePaymentForm({
    schema: withdrawalOrder,
    costOf: ({ amount, unit }) => {
      const { totalMinor } = sumsOf(terms, amount, unit) ?? {};
      return totalMinor === undefined ? undefined : { totalMinor, currency: terms.currency };
    },
  });
  const choose = (chosen: TypedWallet) => {
    if (addressRef.current) addressRef.current.value = chosen.address;
    setWallet(chosen);
    form.forget('network');
    form.forget('address');
  };
  return (
    <>
      <ApplyLayout
        form={
          <Section isCard title={t('withdrawals.formTitle')}>
            <Form isWide state={form} action={t('payouts.goOn')}>
              <FieldGrid>
                <AmountFields form={form} terms={terms} typed={typed} onTyped={setTyped} />
                <WalletFields ref={addressRef} form={form} wallet={wallet} onChange={setWallet} />
              </FieldGrid>
              <Lookalike address={wallet.address} />
              <SubmitSum
                label={t('withdrawals.total')}
                value={<WithdrawalTotal terms={terms} {...typed} />}
              />
            </Form>
          </Section>
        }
        aside={
          <>
            <WithdrawalTermsCard terms={terms} {...typed} />
            <RecentAddresses network={wallet.network} onChosen={choose} />
          </>
        }
        more={<LatestWithdrawals />}
      />
      {order && (
        <WithdrawalConfirm
          order={order}
          terms={terms}
          onFaults={reopen}
          onClose={() => reopen()}
          onMade={onMade}
        />
      )}
    </>
  );
}

interface AmountFieldsProps {
  form: FormState;
  terms: WithdrawalTerms;
  typed: TypedAmount;
  onTyped: (typed: TypedAmount) => void;
}

/** The amount, and the currency that it is in. */
function AmountFields({ form, terms, typed, onTyped }: AmountFieldsProps): ReactElement {
  const t = useT();
  const money = useMoneyText();
  const unit = useUnitText();
  return (
    <>
      <SelectField
        form={form}
        name="unit"
        label={t('withdrawals.unit')}
        value={typed.unit}
        onChange={({ target }) => onTyped({ ...typed, unit: target.value === 'home' ? 'home' : 'usdt' })}
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
        onInput={({ currentTarget }) => onTyped({ ...typed, amount: currentTarget.value })}
      />
    </>
  );
}
