import { formatAmount } from '@hengfu/contract/money';
import { networks } from '@hengfu/contract/wallets';
import {
  type WithdrawalOrder,
  type WithdrawalRow,
  type WithdrawalTerms,
  withdrawalEndpoints,
} from '@hengfu/contract/withdrawals';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { newKey } from '../../platform/new-key.ts';
import { toast } from '../../platform/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { Money } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SecondFactorField, useSecondFactor } from '../../ui/second-factor-field.tsx';
import { foreignFaults, textsOf, useForm } from '../../ui/use-form.ts';
import { sumsOf } from './withdrawal-sums.ts';
import { termsOptions } from './withdrawals.api.ts';

interface WithdrawalConfirmProps {
  order: WithdrawalOrder;
  terms: WithdrawalTerms;
  /** The server found a fault in what was filled in. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
  onClose: () => void;
  onMade: (withdrawal: WithdrawalRow) => void;
}

/** A last look at a withdrawal, and the payment password: then it is applied for. */
export function WithdrawalConfirm({
  order,
  terms,
  onFaults,
  onClose,
  onMade,
}: WithdrawalConfirmProps): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { currency } = terms;
  const sums = sumsOf(terms, order.amount, order.unit);
  const showFactor = useSecondFactor();
  // One key for one order: however often it is sent, it is made once.
  const [idempotencyKey] = useState(newKey);
  const form = useForm({
    send: async (typed) => {
      const { payment_password = '', code = '' } = textsOf(typed);
      await showFactor({ code });
      const total = sums && formatAmount(sums.totalMinor, currency);
      const body = { ...order, total, payment_password, code };
      return call(withdrawalEndpoints.apply, { body, idempotencyKey });
    },
    onDone: ({ data }) => {
      toast('success', t('payouts.applied'), 'withdrawals');
      onMade(data);
    },
    inPlace: ['insufficient_funds', 'withdrawals_closed', 'terms_changed', 'idempotency_in_flight'],
  });
  const isStale = form.error?.code === 'terms_changed';
  useEffect(() => {
    if (isStale) void client.invalidateQueries({ queryKey: termsOptions.queryKey });
  }, [isStale, client]);
  const foreign = foreignFaults(form.error, ['payment_password', 'code']);
  return (
    <Dialog title={t('withdrawals.confirmTitle')} onClose={onClose}>
      <Told order={order} terms={terms} />
      <Notice tone="waiting">{t('withdrawals.finalHint', { network: networks[order.network].name })}</Notice>
      <Form
        state={form}
        action={t('withdrawals.send')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <TextField
          form={form}
          name="payment_password"
          type="password"
          autoComplete="off"
          label={t('payouts.paymentPassword')}
        />
        <SecondFactorField form={form} />
        {foreign && (
          <Notice tone="bad" action={<Button onClick={() => onFaults(foreign)}>{t('payouts.mend')}</Button>}>
            {Object.values(foreign).join('\n')}
          </Notice>
        )}
      </Form>
    </Dialog>
  );
}

/** What the person is about to agree to. */
function Told({ order, terms }: Pick<WithdrawalConfirmProps, 'order' | 'terms'>): ReactElement {
  const t = useT();
  const { currency } = terms;
  const sums = sumsOf(terms, order.amount, order.unit);
  return (
    <Fields
      fields={[
        {
          label: t('withdrawals.usdt'),
          value: sums && <Money amount={formatAmount(sums.usdtMinor, 'USDT')} currency="USDT" />,
        },
        {
          label: t('withdrawals.total'),
          value: sums && <Money amount={formatAmount(sums.totalMinor, currency)} currency={currency} />,
        },
        { label: t('withdrawals.network'), value: networks[order.network].name },
        { label: t('withdrawals.address'), value: order.address, isWide: true },
      ]}
    />
  );
}
