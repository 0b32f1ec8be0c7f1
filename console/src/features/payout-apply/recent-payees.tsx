import type { ChannelCode } from '@hengfu/contract/channels';
import type { KnownPayee } from '@hengfu/contract/payouts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { payeesOptions } from './payout-apply.api.ts';
import styles from './payout-form.module.css';

interface RecentPayeesProps {
  channel: ChannelCode;
  onChosen: (payee: KnownPayee) => void;
}

const maxShown = 4;

/** The payees that were paid last through the channel; one fills the form. Nothing before the first payout. */
export function RecentPayees({ channel, onChosen }: RecentPayeesProps): ReactElement | null {
  const t = useT();
  const options = payeesOptions(channel, '');
  const { data: payees = [] } = useQuery(options);
  useLive(['payouts'], options.queryKey);
  if (payees.length === 0) return null;
  return (
    <Section isCard title={t('payouts.knownPayees')}>
      <ul className={styles.recent}>
        {payees.slice(0, maxShown).map((payee) => (
          <li key={`${payee.payee} ${payee.payeeAccount}`}>
            <button type="button" onClick={() => onChosen(payee)}>
              <span>{payee.payee}</span>
              <span className={styles.account}>{payee.payeeAccount}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
