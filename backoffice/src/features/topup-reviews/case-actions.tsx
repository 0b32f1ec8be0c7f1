import { type TopupCaseDetail, topupReviewEndpoints } from '@hengfu/contract/staff/topup-reviews';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { formatMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useHasPerm } from '../../platform/session.ts';
import { useCallForm } from '../../shared/use-call-form.ts';
import { useKeys } from './keys.ts';
import styles from './topup-reviews.module.css';

/** The actions that the state of a case allows, each with its key. */
export function CaseActions({ detail }: { detail: TopupCaseDetail }): ReactElement | null {
  const t = useT();
  const { trade_no: tradeNo, status, claim } = detail;
  const isOpen = status === 'pendingReview' || status === 'approved';
  const canDecide = useHasPerm('topupReviews.decide') && isOpen;
  const canCredit = useHasPerm('topupReviews.credit') && status === 'approved';
  const approval = useRef<HTMLDivElement>(null);
  const rejection = useRef<HTMLDivElement>(null);
  const refresh = useRefresh();
  const params = { trade_no: tradeNo };
  const options = { onSuccess: refresh, onError: reactToFailure };
  const claiming = useMutation({
    mutationFn: () =>
      call(claim?.isOwn ? topupReviewEndpoints.release : topupReviewEndpoints.claim, { params }),
    ...options,
  });
  const [isCrediting, setIsCrediting] = useState(false);
  const canTake = status === 'approved' ? canCredit : canDecide;
  const take = canTake ? () => claiming.mutate() : undefined;
  const credit = canCredit ? () => setIsCrediting(true) : undefined;
  const focusIn = (part: typeof approval) => () => part.current?.querySelector('input')?.focus();
  useKeys({
    t: take,
    c: credit,
    a: focusIn(approval),
    r: focusIn(rejection),
  });
  if (!canDecide && !canCredit) return null;
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        {take && (
          <Button onClick={take} aria-disabled={claiming.isPending}>
            {claim?.isOwn ? t('office.release') : t('office.take')}
          </Button>
        )}
        {canCredit && (
          <Button look="primary" onClick={credit}>
            {t('office.credit')}
          </Button>
        )}
      </div>
      {isCrediting && canCredit && <CreditDialog detail={detail} onClose={() => setIsCrediting(false)} />}
      {canDecide && status === 'pendingReview' && (
        <div ref={approval}>
          <ApproveForm tradeNo={tradeNo} usdt={detail.usdt} />
        </div>
      )}
      {canDecide && (
        <div ref={rejection}>
          <RejectForm tradeNo={tradeNo} />
        </div>
      )}
    </div>
  );
}

/** Asks before money becomes the merchant's: this cannot be taken back. */
function CreditDialog({ detail, onClose }: { detail: TopupCaseDetail; onClose: () => void }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const refresh = useRefresh();
  const onDone = () => {
    toast('success', t('office.credited'));
    onClose();
    refresh();
  };
  const form = useCallForm(topupReviewEndpoints.credit, onDone, { trade_no: detail.trade_no });
  return (
    <Dialog title={t('office.creditTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('office.credit')}
        extra={<Button onClick={onClose}>{t('office.cancel')}</Button>}
      >
        <p>
          {t('office.creditText', {
            amount: formatMoney(detail.amount, detail.currency, language),
            merchant: detail.merchant.name,
          })}
        </p>
      </Form>
    </Dialog>
  );
}

function ApproveForm({ tradeNo, usdt }: { tradeNo: string; usdt: string }): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const onDone = () => {
    toast('success', t('office.approved'));
    refresh();
  };
  const form = useCallForm(topupReviewEndpoints.approve, onDone, { trade_no: tradeNo });
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

function RejectForm({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const onDone = () => {
    toast('success', t('office.rejected'));
    refresh();
  };
  const form = useCallForm(topupReviewEndpoints.reject, onDone, { trade_no: tradeNo });
  return (
    <Form state={form} action={t('office.reject')}>
      <TextField form={form} name="reason" label={t('office.reason')} maxLength={300} autoComplete="off" />
    </Form>
  );
}

/** Returns a function that asks again for everything about top-ups. */
function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const { path } of [topupReviewEndpoints.queue, topupReviewEndpoints.get])
      void client.invalidateQueries({ queryKey: [path] });
  };
}
