import type { ApprovalRuleInput } from '@hengfu/contract/approval-rules';
import { approvalEndpoints } from '@hengfu/contract/approvals';
import { authorization } from '@hengfu/contract/authorization';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import * as z from 'zod';
import { call } from '../../platform/http.ts';
import { foreignFaults, textsOf, useForm } from '../../shared/forms/use-form.ts';
import { NeedsTwoFactor } from '../../shared/payments/needs-two-factor.tsx';
import { SecondFactorField, useSecondFactor } from '../../shared/payments/second-factor-field.tsx';

interface SaveRulesDialogProps {
  rules: ApprovalRuleInput[];
  days: number;
  /** There are rules already, so the change is a request. */
  needsApproval: boolean;
  /** Called with the errors that the server found in the rules. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
  onSaved: (requestNo: string | null) => void;
  onClose: () => void;
}

const credentials = z.object(authorization);

/** Asks for the payment password and the second factor, and saves the rules. */
export function SaveRulesDialog(props: SaveRulesDialogProps): ReactElement {
  const { rules, days, needsApproval, onFaults, onSaved, onClose } = props;
  const t = useT();
  const showFactor = useSecondFactor();
  const form = useForm({
    schema: credentials,
    send: async (body) => {
      const { payment_password = '', code = '' } = textsOf(body);
      await showFactor({ code });
      return call(approvalEndpoints.setRules, { body: { rules, days, payment_password, code } });
    },
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
          <TextField
            form={form}
            name="payment_password"
            type="password"
            autoComplete="off"
            label={t('payouts.paymentPassword')}
          />
          <SecondFactorField form={form} />
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
