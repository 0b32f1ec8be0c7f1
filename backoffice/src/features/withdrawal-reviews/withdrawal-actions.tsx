import {
  type WithdrawalCase,
  type WithdrawalCaseDetail,
  withdrawalReviewEndpoints,
} from '@hengfu/contract/staff/withdrawal-reviews';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { formatMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useRef, useState } from 'react';
import { useRefresh } from '../../platform/refresh.ts';
import { useHasPerm } from '../../platform/session.ts';
import { ConfirmDialog, RejectForm } from '../../shared/cases/case-forms.tsx';
import styles from '../../shared/cases/cases.module.css';
import { ClaimButton, RequestLink } from '../../shared/cases/claim-button.tsx';
import { useKeys } from '../../shared/cases/keys.ts';
import { useClaim } from '../../shared/cases/use-claim.ts';
import { useCallForm } from '../../shared/use-call-form.ts';

const { queue, get } = withdrawalReviewEndpoints;

/** The actions that the state of a withdrawal allows, each with its key. */
export function WithdrawalActions({ detail }: { detail: WithdrawalCaseDetail }): ReactElement | null {
  const t = useT();
  const { trade_no: tradeNo, status, claim, requestId } = detail;
  // Its own merchant decides first.
  const isOpen = (status === 'pendingReview' || status === 'approved') && detail.approvalState !== 'waiting';
  const canDecide = useHasPerm('withdrawalReviews.decide') && isOpen;
  const mayPay = useHasPerm('withdrawalReviews.pay') && status === 'approved';
  const payment = useRef<HTMLDivElement>(null);
  const rejection = useRef<HTMLDivElement>(null);
  const refresh = useRefresh(queue.path, get.path);
  const { toggle, isPending } = useClaim(withdrawalReviewEndpoints, detail, refresh);
  const [isApproving, setIsApproving] = useState(false);
  const canTake = status === 'approved' ? mayPay : canDecide;
  const approve = canDecide && status === 'pendingReview' ? () => setIsApproving(true) : undefined;
  const focusIn = (part: typeof payment) => () => part.current?.querySelector('input')?.focus();
  useKeys({ t: canTake ? toggle : undefined, a: approve, p: focusIn(payment), r: focusIn(rejection) });
  if (!canDecide && !mayPay) return null;
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        {canTake && <ClaimButton isOwn={claim?.isOwn ?? false} isPending={isPending} onPressed={toggle} />}
        {approve && (
          <Button look="primary" onClick={approve}>
            {t('office.approve')}
          </Button>
        )}
      </div>
      {requestId !== null && <RequestLink requestId={requestId} />}
      {isApproving && approve && (
        <ApproveDialog detail={detail} onDone={refresh} onClose={() => setIsApproving(false)} />
      )}
      {mayPay && requestId === null && (
        <div ref={payment}>
          <PayForm detail={detail} onDone={refresh} />
        </div>
      )}
      {/* A payment that waits for a second person has been sent. */}
      {canDecide && requestId === null && (
        <div ref={rejection}>
          <RejectForm endpoint={withdrawalReviewEndpoints.reject} tradeNo={tradeNo} onDone={refresh} />
        </div>
      )}
    </div>
  );
}

interface StepProps {
  detail: WithdrawalCaseDetail;
  onDone: () => void;
}

/** Asks before a withdrawal is approved: it is sent next. */
function ApproveDialog({ detail, onDone, onClose }: StepProps & { onClose: () => void }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <ConfirmDialog<WithdrawalCase>
      endpoint={withdrawalReviewEndpoints.approve}
      tradeNo={detail.trade_no}
      title={t('officeWithdrawals.approveTitle')}
      text={t('officeWithdrawals.approveText', {
        amount: formatMoney(detail.usdt, 'USDT', language),
        address: detail.address,
      })}
      action={t('office.approve')}
      doneText={() => t('office.approved')}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function PayForm({ detail, onDone }: StepProps): ReactElement {
  const t = useT();
  const onReply = ({ data }: { data: WithdrawalCase }) => {
    toast('success', data.status === 'paid' ? t('officeWithdrawals.paid') : t('officeRequests.asked'));
    onDone();
  };
  const form = useCallForm(withdrawalReviewEndpoints.pay, onReply, { trade_no: detail.trade_no });
  return (
    <Form state={form} action={detail.needsSecond ? t('officeRequests.ask') : t('officeWithdrawals.pay')}>
      {detail.needsSecond && <p>{t('officeWithdrawals.payText')}</p>}
      <TextField
        form={form}
        name="transactionId"
        label={t('withdrawals.transactionId')}
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
      />
    </Form>
  );
}
