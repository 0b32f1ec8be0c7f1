import { payoutSlipEndpoints } from '@hengfu/contract/payout-slips';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import styles from './slip-link.module.css';

/** Creates a link to a paid payout's receipt, and revokes all links to it. */
export function SlipLink({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const params = { trade_no: tradeNo };
  const make = useAction({ mutationFn: () => call(payoutSlipEndpoints.make, { params }) });
  const revoke = useAction({
    mutationFn: () => call(payoutSlipEndpoints.revoke, { params }),
    onSuccess: () => make.reset(),
  });
  const made = make.data?.data;
  return (
    <Section title={t('payoutSlips.title')}>
      <div className={styles.made}>
        {made ? (
          <>
            <a className={buttonClass('outline')} href={made.url} target="_blank" rel="noreferrer">
              {t('payoutSlips.open')}
            </a>
            <CopyButton text={made.url} name={t('payoutSlips.link')} />
            <span>
              {t('payoutSlips.until')} <TimeText at={made.expiresAt} style="minute" />
            </span>
          </>
        ) : (
          <Button
            aria-disabled={make.isPending}
            onClick={() => {
              revoke.reset();
              make.mutate();
            }}
          >
            {t('payoutSlips.make')}
          </Button>
        )}
        <Revoke isPending={revoke.isPending} onRevoke={() => revoke.mutate()} />
      </div>
      {revoke.isSuccess && <Notice tone="good">{t('payoutSlips.revoked')}</Notice>}
    </Section>
  );
}

/** Asks before revoking, because it cannot be undone. */
function Revoke({ isPending, onRevoke }: { isPending: boolean; onRevoke: () => void }): ReactElement {
  const t = useT();
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button look="quiet" aria-disabled={isPending} onClick={() => setAsking(true)}>
        {t('payoutSlips.revoke')}
      </Button>
    );
  return (
    <Notice
      tone="waiting"
      action={
        <>
          <Button
            aria-disabled={isPending}
            onClick={() => {
              setAsking(false);
              onRevoke();
            }}
          >
            {t('payoutSlips.revokeAll')}
          </Button>
          <Button look="quiet" onClick={() => setAsking(false)}>
            {t('payoutSlips.keep')}
          </Button>
        </>
      }
    >
      {t('payoutSlips.revokeWarning')}
    </Notice>
  );
}
