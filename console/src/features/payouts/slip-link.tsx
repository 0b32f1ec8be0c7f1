import { payoutSlipEndpoints } from '@hengfu/contract/payout-slips';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './slip-link.module.css';

/** Makes the link to a paid payout's slip, to be printed or passed on. */
export function SlipLink({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const { data, mutate, isPending } = useMutation({
    mutationFn: () => call(payoutSlipEndpoints.make, { params: { trade_no: tradeNo } }),
  });
  const made = data?.data;
  return (
    <Section title={t('payoutSlip.title')}>
      {made ? (
        <div className={styles.made}>
          <a className={buttonClass('outline')} href={made.url} target="_blank" rel="noreferrer">
            {t('payoutSlip.open')}
          </a>
          <CopyButton text={made.url} name={t('payoutSlip.link')} />
          <span>
            {t('payoutSlip.until')} <TimeText at={made.expiresAt} style="minute" />
          </span>
        </div>
      ) : (
        <Button onClick={() => mutate()} aria-disabled={isPending}>
          {t('payoutSlip.make')}
        </Button>
      )}
    </Section>
  );
}
