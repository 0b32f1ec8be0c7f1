import { type ApprovalDetail, approvalEndpoints, type Exclusion } from '@hengfu/contract/approvals';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, LinesField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../../platform/http.ts';
import { listKey } from '../../../platform/query-client.ts';
import { WithdrawDialog } from '../../../shared/access/withdraw-dialog.tsx';
import { textsOf, useForm } from '../../../shared/forms/use-form.ts';
import { approvalDetailKey } from '../approvals.api.ts';
import styles from '../approvals.module.css';
import { ApproveForm, requestRefusals } from './approve-form.tsx';
import { decisionHints } from './decision-hints.ts';

type Step = 'approve' | 'refuse' | 'withdraw';
const doneTexts = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const;

/** The buttons with which the user decides a request. Nothing if there is nothing to decide. */
export function Decide({
  of,
  excluded,
}: {
  of: ApprovalDetail;
  /** Rows of a batch that the user excludes; each needs a reason. */
  excluded: readonly Exclusion[];
}): ReactElement | null {
  const t = useT();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  const refresh = () => {
    void client.invalidateQueries({ queryKey: approvalDetailKey });
    void client.invalidateQueries({ queryKey: listKey(approvalEndpoints.list) });
  };
  const onDone = () => {
    if (step) toast('success', t(`approvals.${doneTexts[step]}`), 'approvals');
    close();
    refresh();
  };
  const canWithdraw = of.isYours && of.state === 'waiting';
  if (!of.isForYou && !canWithdraw) return null;
  const shared = { of, onDone, onClose: close, onChanged: refresh };
  return (
    <div className={styles.buttons}>
      {of.isForYou && (
        <>
          <Button
            look="primary"
            disabled={excluded.some(({ reason }) => reason.trim() === '')}
            onClick={() => setStep('approve')}
          >
            {excluded.length > 0
              ? t('approvals.approveSome', { count: excluded.length })
              : t('approvals.approve')}
          </Button>
          <Button onClick={() => setStep('refuse')}>{t('approvals.refuse')}</Button>
        </>
      )}
      {canWithdraw && <Button onClick={() => setStep('withdraw')}>{t('approvals.withdraw')}</Button>}
      {step === 'approve' && <ApproveDialog {...shared} excluded={excluded} />}
      {step === 'refuse' && <RefuseDialog {...shared} />}
      {step === 'withdraw' && <Withdrawal {...shared} />}
    </div>
  );
}

interface StepProps {
  of: ApprovalDetail;
  onDone: () => void;
  /** The request is not what the dialog shows. */
  onChanged: () => void;
  onClose: () => void;
}

/** Approves the request as it was shown: a mark that comes up later must be seen first. */
function ApproveDialog({
  of,
  excluded,
  onDone,
  onChanged,
  onClose,
}: StepProps & { excluded: readonly Exclusion[] }): ReactElement {
  const t = useT();
  const [seen] = useState(of.marks);
  return (
    <ApproveForm
      title={t('approvals.approveTitle')}
      hint={t(decisionHints[of.kind].approve)}
      send={(proof) =>
        call(approvalEndpoints.approve, {
          params: { request_no: of.request_no },
          body: { seen, excluded: [...excluded], ...proof },
        }).catch((error) => {
          onChanged();
          throw error;
        })
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Asks why the request is refused. */
function RefuseDialog({ of, onDone, onClose }: StepProps): ReactElement {
  const t = useT();
  const form = useForm({
    schema: approvalEndpoints.refuse.body,
    send: (body) =>
      call(approvalEndpoints.refuse, {
        params: { request_no: of.request_no },
        body: { reason: textsOf(body).reason ?? '' },
      }),
    onDone,
    inPlace: [...requestRefusals],
  });
  return (
    <Dialog title={t('approvals.refuseTitle')} onClose={() => form.isBusy || onClose()}>
      <p>{t(decisionHints[of.kind].refuse)}</p>
      <Form
        state={form}
        action={t('approvals.refuse')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <LinesField form={form} name="reason" label={t('approvals.reason')} rows={3} maxLength={500} />
      </Form>
    </Dialog>
  );
}

function Withdrawal({ of, onDone, onClose }: StepProps): ReactElement {
  const t = useT();
  const form = useForm({
    send: () => call(approvalEndpoints.withdraw, { params: { request_no: of.request_no } }),
    onDone,
    inPlace: [...requestRefusals],
  });
  return <WithdrawDialog form={form} hint={t(decisionHints[of.kind].withdraw)} onClose={onClose} />;
}
