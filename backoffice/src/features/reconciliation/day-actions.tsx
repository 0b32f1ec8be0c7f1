import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import type { DayDetail } from '@hengfu/contract/staff/statement-days';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form } from '@hengfu/ui/form/form.tsx';
import { formatDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useCallForm } from '../../shared/use-call-form.ts';
import styles from './reconciliation.module.css';
import { useRefreshDay } from './use-refresh-day.ts';

/** The actions that the state of a day allows. */
export function DayActions({ detail }: { detail: DayDetail }): ReactElement | null {
  const t = useT();
  const { channel, day, state } = detail;
  const [asked, setAsked] = useState<'close' | 'discard'>();
  const refresh = useRefreshDay();
  const matching = useMutation({
    mutationFn: () => call(reconciliationEndpoints.match, { params: { channel, day } }),
    onSuccess: () => {
      toast('success', t('officeReconciliation.matchedAgain'));
      refresh();
    },
    onError: reactToFailure,
  });
  if (state !== 'open' && state !== 'failed') return null;
  return (
    <div className={styles.actions}>
      {state === 'open' && (
        <>
          <Button look="primary" onClick={() => setAsked('close')}>
            {t('officeReconciliation.close')}
          </Button>
          <Button aria-disabled={matching.isPending} onClick={() => matching.mutate()}>
            {t('officeReconciliation.matchAgain')}
          </Button>
        </>
      )}
      <Button onClick={() => setAsked('discard')}>{t('officeReconciliation.discard')}</Button>
      {asked === 'close' && <CloseDialog detail={detail} onClose={() => setAsked(undefined)} />}
      {asked === 'discard' && <DiscardDialog detail={detail} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

interface AskProps {
  detail: DayDetail;
  onClose: () => void;
}

function CloseDialog({ detail: { channel, day }, onClose }: AskProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const refresh = useRefreshDay();
  const onDone = () => {
    toast('success', t('officeReconciliation.closed'));
    onClose();
    refresh();
  };
  const form = useCallForm(reconciliationEndpoints.close, onDone, { channel, day });
  return (
    <Dialog title={t('officeReconciliation.closeTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('officeReconciliation.close')}
        extra={<Button onClick={onClose}>{t('officeReconciliation.cancel')}</Button>}
      >
        <p>
          {t('officeReconciliation.closeText', {
            day: formatDay(day, language),
            channel: t(`channels.${channel}`),
          })}
        </p>
      </Form>
    </Dialog>
  );
}

function DiscardDialog({ detail: { channel, day }, onClose }: AskProps): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const onDone = () => {
    toast('success', t('officeReconciliation.discarded'));
    client.removeQueries({ queryKey: [reconciliationEndpoints.day.path, channel, day] });
    void navigate({ to: '/reconciliation' });
  };
  const form = useCallForm(reconciliationEndpoints.discard, onDone, { channel, day });
  return (
    <Dialog title={t('officeReconciliation.discardTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('officeReconciliation.discard')}
        look="danger"
        extra={<Button onClick={onClose}>{t('officeReconciliation.cancel')}</Button>}
      >
        <p>{t('officeReconciliation.discardText')}</p>
      </Form>
    </Dialog>
  );
}
