import {
  type AccessRequest,
  type AccessSetting,
  accessRequestEndpoints,
} from '@hengfu/contract/access-requests';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { useForm } from '../forms/use-form.ts';
import styles from './access.module.css';
import { AccessChange } from './access-change.tsx';
import { accessRequestsOptions, useAccessApproval } from './access-requests.api.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

/** The change of a setting that waits for approval, or else a hint that changes will wait. Nothing if no rule asks for approval. */
export function AccessApproval({ setting }: { setting: AccessSetting }): ReactElement | null {
  const t = useT();
  const { needsApproval, waiting } = useAccessApproval(setting);
  if (waiting) return <Waiting of={waiting} setting={setting} isHeld={needsApproval} />;
  if (!needsApproval) return null;
  return (
    <HasPerm any={['access.manage']}>
      <Notice tone="calm">{t(`approvals.access.needs.${setting}`)}</Notice>
    </HasPerm>
  );
}

interface WaitingProps {
  of: AccessRequest;
  setting: AccessSetting;
  /** No other change can be asked for meanwhile. */
  isHeld: boolean;
}

function Waiting({ of, setting, isHeld }: WaitingProps): ReactElement {
  const t = useT();
  const [isWithdrawing, setWithdrawing] = useState(false);
  const change = t(`approvals.access.${of.change.action}`);
  return (
    <Section isCard title={t('approvals.states.waiting')}>
      <div className={styles.waiting}>
        <Notice tone="waiting">
          <p>{t('approvals.access.waits', { change, name: of.requestedBy })}</p>
          <p>{isHeld ? t(`approvals.access.meanwhile.${setting}`) : t('approvals.access.stale')}</p>
        </Notice>
        <AccessChange of={of.change} />
        <p className={styles.note}>
          {t('approvals.createdAt')} <TimeText at={of.createdAt} style="minute" />
        </p>
        <div className={styles.buttons}>
          <HasPerm any={['approvals.read']}>
            <Link to="/approvals" search={{ open: of.request_no }} className={buttonClass('outline')}>
              {t('approvals.toRequest')}
            </Link>
          </HasPerm>
          {of.isYours && <Button onClick={() => setWithdrawing(true)}>{t('approvals.withdraw')}</Button>}
        </div>
      </div>
      {isWithdrawing && <Withdrawal of={of} onClose={() => setWithdrawing(false)} />}
    </Section>
  );
}

function Withdrawal({ of, onClose }: { of: AccessRequest; onClose: () => void }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const form = useForm({
    send: () => call(accessRequestEndpoints.withdraw, { params: { request_no: of.request_no } }),
    onDone: () => {
      toast('success', t('approvals.withdrawn'), 'approvals');
      onClose();
      void client.invalidateQueries({ queryKey: accessRequestsOptions.queryKey });
    },
    inPlace: ['invalid_transition', 'forbidden', 'not_found'],
  });
  return <WithdrawDialog form={form} hint={t('approvals.withdrawRulesHint')} onClose={onClose} />;
}
