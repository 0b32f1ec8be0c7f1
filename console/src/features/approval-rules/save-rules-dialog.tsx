import type { ApprovalRuleInput } from '@hengfu/contract/approval-rules';
import { approvalEndpoints } from '@hengfu/contract/approvals';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { foreignFaults } from '../../shared/forms/use-form.ts';
import { NeedsTwoFactor } from '../../shared/payments/needs-two-factor.tsx';
import { PaymentProofFields, useProofForm } from '../../shared/payments/payment-proof.tsx';

interface SaveRulesDialogProps {
  rules: ApprovalRuleInput[];
  days: number;
  /** Of the rules that were changed. */
  version: string;
  /** There are rules already, so the change is a request. */
  needsApproval: boolean;
  /** Called with the errors that the server found in the rules. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
  onSaved: (requestNo: string | null) => void;
  onClose: () => void;
}

/** Asks for the payment password and the second factor, and saves the rules. */
export function SaveRulesDialog(props: SaveRulesDialogProps): ReactElement {
  const { rules, days, version, needsApproval, onFaults, onSaved, onClose } = props;
  const t = useT();
  const form = useProofForm({
    send: (proof) => call(approvalEndpoints.setRules, { body: { rules, days, version, ...proof } }),
    onDone: ({ data }) => onSaved(data.request_no),
    inPlace: ['approvers_missing', 'conflict'],
  });
  const foreign = foreignFaults(form.error, ['payment_password', 'code']);
  const mend = foreign && <Button onClick={() => onFaults(foreign)}>{t('payouts.mend')}</Button>;
  return (
    <Dialog title={t('approvals.saveTitle')} onClose={() => form.isBusy || onClose()}>
      <NeedsTwoFactor>
        <p>{t(needsApproval ? 'approvals.saveAsksHint' : 'approvals.saveHint')}</p>
        <Form
          state={{ ...form, refusal: foreign ? undefined : form.refusal }}
          action={t('approvals.save')}
          extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
        >
          <PaymentProofFields form={form} />
          {foreign && (
            <Notice tone="bad" action={mend}>
              {Object.values(foreign).join('\n')}
            </Notice>
          )}
        </Form>
      </NeedsTwoFactor>
    </Dialog>
  );
}
