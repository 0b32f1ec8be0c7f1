import { type Currency, formatAmount, minorOf } from '@hengfu/contract/money';
import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import type { Difference } from '@hengfu/contract/staff/statement-days';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, LinesField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useMoneyText } from '@hengfu/ui/values/money.tsx';
import type { ReactElement } from 'react';
import { useCallForm } from '../../shared/use-call-form.ts';
import { useRefreshDay } from './use-refresh-day.ts';

/** The decisions about a difference. */
export type DecisionKind = 'explain' | 'wait' | 'adjust';

const words = {
  explain: { title: 'officeReconciliation.explainTitle', done: 'officeReconciliation.explained' },
  wait: { title: 'officeReconciliation.waitTitle', done: 'officeReconciliation.waits' },
  adjust: { title: 'officeReconciliation.adjustTitle', done: 'officeReconciliation.asked' },
} as const;

interface DecisionDialogProps {
  difference: Difference;
  decision: DecisionKind;
  currency: Currency;
  onClose: () => void;
}

/** Asks for the note of a decision; for an adjustment also for the merchant, where no order is known. */
export function DecisionDialog({
  difference,
  decision,
  currency,
  onClose,
}: DecisionDialogProps): ReactElement {
  const t = useT();
  const money = useMoneyText();
  const refresh = useRefreshDay();
  const onDone = () => {
    toast('success', t(words[decision].done));
    onClose();
    refresh();
  };
  const form = useCallForm(reconciliationEndpoints[decision], onDone, { id: difference.id });
  const minor = (amount: string | null) => (amount === null ? 0n : minorOf(amount, currency));
  const delta = formatAmount(minor(difference.theirs) - minor(difference.ours), currency);
  return (
    <Dialog title={t(words[decision].title)} onClose={onClose}>
      <Form
        state={form}
        action={t(`officeReconciliation.${decision}`)}
        extra={<Button onClick={onClose}>{t('officeReconciliation.cancel')}</Button>}
      >
        {decision === 'adjust' && (
          <p>{t('officeReconciliation.adjustText', { amount: money(delta, currency) })}</p>
        )}
        {decision === 'adjust' && difference.merchant === null && (
          <TextField
            form={form}
            name="merchant"
            label={t('officeReconciliation.merchantCode')}
            autoComplete="off"
          />
        )}
        <LinesField
          form={form}
          name="note"
          label={t('officeReconciliation.note')}
          hint={t('officeReconciliation.noteHint')}
          defaultValue={difference.note ?? ''}
          maxLength={decision === 'adjust' ? 300 : 500}
          rows={3}
        />
      </Form>
    </Dialog>
  );
}
