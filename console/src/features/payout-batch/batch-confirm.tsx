import { type PayoutBatch, payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { type ReactElement, useState } from 'react';
import { messageOf } from '../../platform/failures.ts';
import { formatCount } from '../../platform/format.ts';
import { call } from '../../platform/http.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { newKey } from '../../platform/new-key.ts';
import { toast } from '../../platform/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Count } from '../../ui/count.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { Money } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SecondFactorField, useSecondFactor } from '../../ui/second-factor-field.tsx';
import { foreignFaults, textsOf, useForm } from '../../ui/use-form.ts';
import { type Checked, type Draft, sentRows } from './batch-draft.ts';
import { Coverage } from './batch-sums.tsx';

interface BatchConfirmProps {
  draft: Draft;
  checked: Checked;
  onClose: () => void;
  onMade: (batch: PayoutBatch) => void;
}

const ownFields = ['payment_password', 'code'];
const shownHere = ['batch_repeated', 'terms_changed', 'channel_closed', 'idempotency_in_flight'] as const;

/** A last look at a batch, and the payment password, once for all its rows. */
export function BatchConfirm({ draft, checked, onClose, onMade }: BatchConfirmProps): ReactElement {
  const t = useT();
  const showFactor = useSecondFactor();
  // One key for one batch: however often it is sent, it is made once.
  const [idempotencyKey] = useState(newKey);
  const form = useForm({
    send: async (texts) => {
      const { payment_password = '', code = '', repeated } = textsOf(texts);
      await showFactor({ code });
      const body = { ...bodyOf(draft), total: checked.total, confirmRepeated: repeated === 'yes' };
      return call(payoutBatchEndpoints.apply, { body: { ...body, payment_password, code }, idempotencyKey });
    },
    onDone: ({ data }) => {
      toast('success', t('payouts.applied'), 'payouts');
      onMade(data);
    },
    inPlace: shownHere,
  });
  const isRepeated = form.error?.code === 'batch_repeated';
  const foreign = foreignFaults(form.error, ownFields);
  const earlier = checked.repeated;
  return (
    <Dialog title={t('payoutBatch.confirmTitle')} onClose={onClose}>
      <Review draft={draft} checked={checked} />
      <Form
        state={{ ...form, refusal: isRepeated ? undefined : form.refusal }}
        action={t(earlier || isRepeated ? 'payoutBatch.payAgain' : 'payoutBatch.payAll')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        {(earlier || isRepeated) && (
          <Notice tone="waiting">
            <input type="hidden" name="repeated" value="yes" />
            {earlier
              ? t('errors.batch_repeated', { batch_no: earlier.batch_no })
              : form.error && messageOf(form.error)}
          </Notice>
        )}
        <TextField
          form={form}
          name="payment_password"
          type="password"
          autoComplete="off"
          label={t('payouts.paymentPassword')}
        />
        <SecondFactorField form={form} />
        {foreign && <Notice tone="bad">{Object.values(foreign).join('\n')}</Notice>}
      </Form>
    </Dialog>
  );
}

/** What is sent of a draft: its rows, and the places of those that are meant although they look like others. */
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
          { label: t('payoutBatch.name'), value: draft.name },
          { label: t('payoutBatch.count'), value: <Count of={checked.count} /> },
          { label: t('payouts.amount'), value: money(checked.amount) },
          { label: t('payouts.total'), value: money(checked.total) },
        ]}
      />
      <Coverage checked={checked} />
      {changedAccounts.length > 0 && (
        <Notice tone="waiting">
          {t('payoutBatch.changedAccounts', { count: formatCount(changedAccounts.length, language) })}
        </Notice>
      )}
      {newAccounts.length > 0 && (
        <Notice tone="waiting">
          {t('payoutBatch.newAccounts', { count: formatCount(newAccounts.length, language) })}
        </Notice>
      )}
    </>
  );
}
