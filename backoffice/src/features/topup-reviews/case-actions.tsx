import {
  type TopupCase,
  type TopupCaseDetail,
  topupReviewEndpoints,
} from '@hengfu/contract/staff/topup-reviews';
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

const { queue, get } = topupReviewEndpoints;

/** The actions that the state of a case allows, each with its key. */
export function CaseActions({ detail }: { detail: TopupCaseDetail }): ReactElement | null {
  const t = useT();
  const { trade_no: tradeNo, status, claim, requestId } = detail;
  const isOpen = status === 'pendingReview' || status === 'approved';
  const canDecide = useHasPerm('topupReviews.decide') && isOpen;
  const mayCredit = useHasPerm('topupReviews.credit') && status === 'approved';
  const canCredit = mayCredit && requestId === null;
  const approval = useRef<HTMLDivElement>(null);
  const rejection = useRef<HTMLDivElement>(null);
  const refresh = useRefresh(queue.path, get.path);
  const { toggle, isPending } = useClaim(topupReviewEndpoints, detail, refresh);
  const [isCrediting, setIsCrediting] = useState(false);
  const canTake = status === 'approved' ? mayCredit : canDecide;
  const focusIn = (part: typeof approval) => () => part.current?.querySelector('input')?.focus();
  const credit = canCredit ? () => setIsCrediting(true) : undefined;
  useKeys({ t: canTake ? toggle : undefined, c: credit, a: focusIn(approval), r: focusIn(rejection) });
  if (!canDecide && !mayCredit) return null;
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        {canTake && <ClaimButton isOwn={claim?.isOwn ?? false} isPending={isPending} onPressed={toggle} />}
        {credit && (
          <Button look="primary" onClick={credit}>
            {t('office.credit')}
          </Button>
        )}
      </div>
      {requestId !== null && <RequestLink requestId={requestId} />}
      {isCrediting && canCredit && (
        <CreditDialog detail={detail} onDone={refresh} onClose={() => setIsCrediting(false)} />
      )}
      {canDecide && status === 'pendingReview' && (
        <div ref={approval}>
          <ApproveForm tradeNo={tradeNo} usdt={detail.usdt} onDone={refresh} />
        </div>
      )}
      {canDecide && (
        <div ref={rejection}>
          <RejectForm endpoint={topupReviewEndpoints.reject} tradeNo={tradeNo} onDone={refresh} />
        </div>
      )}
    </div>
  );
}

interface CreditDialogProps {
  detail: TopupCaseDetail;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before money becomes the merchant's: this cannot be taken back. */
function CreditDialog({ detail, onDone, onClose }: CreditDialogProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const amount = formatMoney(detail.amount, detail.currency, language);
  const values = { amount, merchant: detail.merchant.name };
  return (
    <ConfirmDialog<TopupCase>
      endpoint={topupReviewEndpoints.credit}
      tradeNo={detail.trade_no}
      title={t('office.creditTitle')}
      text={detail.needsSecond ? t('officeRequests.creditText', values) : t('office.creditText', values)}
      action={detail.needsSecond ? t('officeRequests.ask') : t('office.credit')}
      doneText={({ status }) => (status === 'paid' ? t('office.credited') : t('officeRequests.asked'))}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

interface ApproveFormProps {
  tradeNo: string;
  usdt: string;
  onDone: () => void;
}

function ApproveForm({ tradeNo, usdt, onDone }: ApproveFormProps): ReactElement {
  const t = useT();
  const onApproved = () => {
    toast('success', t('office.approved'));
    onDone();
  };
  const form = useCallForm(topupReviewEndpoints.approve, onApproved, { trade_no: tradeNo });
  return (
    <Form state={form} action={t('office.approve')}>
      <TextField
        form={form}
        name="arrived"
        label={t('office.arrived')}
        defaultValue={usdt.replace(/\.?0+$/, '')}
        inputMode="decimal"
        autoComplete="off"
      />
    </Form>
  );
}
