import { formatAmount } from '@hengfu/contract/money';
import {
  type WithdrawalOrder,
  type WithdrawalRow,
  type WithdrawalTerms,
  withdrawalEndpoints,
} from '@hengfu/contract/withdrawals';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatDecimal } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import type { ReactElement } from 'react';
import { callOnce } from '../../platform/http.ts';
import { PaymentDialog, usePayment } from '../../shared/payments/payment-dialog.tsx';
import { useTermsAgain } from '../../shared/payments/use-terms-again.ts';
import { sumsOf } from './withdrawal-sums.ts';
import { termsOptions } from './withdrawals.api.ts';

interface WithdrawalConfirmProps {
  order: WithdrawalOrder;
  terms: WithdrawalTerms;
  /** Called with the errors that the server found in the form. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
  onClose: () => void;
  onMade: (withdrawal: WithdrawalRow) => void;
}

/** Shows a withdrawal for review, asks for the payment password, and submits the application. */
export function WithdrawalConfirm({
  order,
  terms,
  onFaults,
  onClose,
  onMade,
}: WithdrawalConfirmProps): ReactElement {
  const t = useT();
  const { currency } = terms;
  const sums = sumsOf(terms, order.amount, order.unit);
  const form = usePayment({
    order,
    send: ({ credentials, idempotencyKey }) => {
      const total = sums && formatAmount(sums.totalMinor, currency);
      return callOnce(withdrawalEndpoints.apply, {
        body: { ...order, total, ...credentials },
        idempotencyKey,
      });
    },
    onMade,
    topic: 'withdrawals',
    inPlace: ['insufficient_funds', 'limit_exceeded', 'withdrawals_closed', 'terms_changed'],
  });
  useTermsAgain(form.error, termsOptions.queryKey);
  return (
    <PaymentDialog
      title={t('withdrawals.confirmTitle')}
      form={form}
      action={t('withdrawals.send')}
      onMend={onFaults}
      onClose={onClose}
    >
      <Review order={order} terms={terms} />
      <Notice tone="waiting">
        {t('withdrawals.finalHint', { network: t(`withdrawals.networks.${order.network}`) })}
      </Notice>
    </PaymentDialog>
  );
}

/** The figures that the user is about to confirm. */
function Review({ order, terms }: Pick<WithdrawalConfirmProps, 'order' | 'terms'>): ReactElement {
  const t = useT();
  const { currency } = terms;
  const language = useLanguage();
  const sums = sumsOf(terms, order.amount, order.unit);
  const home = (minor: bigint | undefined) =>
    minor !== undefined && <Money amount={formatAmount(minor, currency)} currency={currency} />;
  return (
    <Fields
      isNarrow
      fields={[
        {
          label: t('withdrawals.usdt'),
          value: sums && <Money amount={formatAmount(sums.usdtMinor, 'USDT')} currency="USDT" />,
        },
        { label: t('withdrawals.network'), value: t(`withdrawals.networks.${order.network}`) },
        { label: t('withdrawals.amount'), value: home(sums?.amountMinor) },
        {
          label: t('withdrawals.usd'),
          value: sums?.usdMinor !== undefined && (
            <Money amount={formatAmount(sums.usdMinor, 'USD')} currency="USD" />
          ),
        },
        { label: t('withdrawals.fee'), value: home(sums?.feeMinor) },
        { label: t('withdrawals.total'), value: home(sums?.totalMinor) },
        {
          label: t('withdrawals.rate'),
          value: `1 USDT = ${formatDecimal(terms.rate, language)} ${currency}`,
        },
        { label: t('withdrawals.address'), value: order.address, isWide: true },
      ]}
    />
  );
}
