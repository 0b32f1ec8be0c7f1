import { type PayoutBatch, payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import type { ReactElement } from 'react';
import { messageOf } from '../../../platform/failures.ts';
import { callOnce } from '../../../platform/http.ts';
import { PaymentDialog, usePayment } from '../../../shared/payments/payment-dialog.tsx';
import { Coverage } from './batch-coverage.tsx';
import { type CheckResult, type Draft, sentRows } from './batch-draft.ts';

interface BatchConfirmProps {
  draft: Draft;
  checked: CheckResult;
  onClose: () => void;
  onMade: (batch: PayoutBatch) => void;
}

/** Shows a batch for review, and asks for the payment password once for all its rows. */
export function BatchConfirm({ draft, checked, onClose, onMade }: BatchConfirmProps): ReactElement {
  const t = useT();
  const form = usePayment({
    order: bodyOf(draft),
    send: ({ credentials, idempotencyKey, isConfirmed }) =>
      callOnce(payoutBatchEndpoints.apply, {
        body: { ...bodyOf(draft), total: checked.total, confirmRepeated: isConfirmed, ...credentials },
        idempotencyKey,
      }),
    onMade,
    topic: 'payouts',
    inPlace: ['batch_repeated', 'terms_changed', 'channel_closed'],
  });
  const repeated = form.error?.code === 'batch_repeated' ? messageOf(form.error) : undefined;
  const question = checked.repeated
    ? t('errors.batch_repeated', { batch_no: checked.repeated.batch_no })
    : repeated;
  return (
    <PaymentDialog
      title={t('payoutBatches.confirmTitle')}
      form={form}
      action={t(question === undefined ? 'payoutBatches.payAll' : 'payoutBatches.payAgain')}
      question={question}
      onClose={onClose}
    >
      <Review draft={draft} checked={checked} />
    </PaymentDialog>
  );
}

/** Builds the request body: the included rows, and the positions (from 1) of the confirmed ones. */
function bodyOf({ name, channel, rows }: Draft) {
  const sent = sentRows(rows);
  const confirmed = sent.flatMap(({ isConfirmed }, index) => (isConfirmed ? [index + 1] : []));
  return { name, channel, confirmed, rows: sent.map(({ fields }) => fields) };
}

function Review({ draft, checked }: Pick<BatchConfirmProps, 'draft' | 'checked'>): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { currency, newAccounts, changedAccounts } = checked;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <>
      <Fields
        fields={[
          { label: t('payoutBatches.name'), value: draft.name },
          { label: t('payoutBatches.count'), value: <Count of={checked.count} /> },
          { label: t('payouts.amount'), value: money(checked.amount) },
          { label: t('payouts.total'), value: money(checked.total) },
        ]}
      />
      <Coverage checked={checked} />
      {changedAccounts.length > 0 && (
        <Notice tone="waiting">
          {t('payoutBatches.changedAccounts', { count: formatCount(changedAccounts.length, language) })}
        </Notice>
      )}
      {newAccounts.length > 0 && (
        <Notice tone="waiting">
          {t('payoutBatches.newAccounts', { count: formatCount(newAccounts.length, language) })}
        </Notice>
      )}
    </>
  );
}
