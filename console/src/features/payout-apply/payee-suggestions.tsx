import type { ChannelCode } from '@hengfu/contract/channels';
import type { KnownPayee } from '@hengfu/contract/payouts';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useDeferredValue } from 'react';
import { useT } from '../../platform/i18n.ts';
import { payeesOptions } from './payout-apply.api.ts';
import styles from './payout-form.module.css';

interface PayeeSuggestionsProps {
  channel: ChannelCode;
  search: string;
  onChosen: (payee: KnownPayee) => void;
}

/** Suggests earlier payees that begin with the typed text; choosing one fills the form. */
export function PayeeSuggestions({ channel, search, onChosen }: PayeeSuggestionsProps): ReactElement | null {
  const t = useT();
  const typed = useDeferredValue(search.trim());
  const { data } = useQuery({ ...payeesOptions(channel, typed), enabled: typed !== '' });
  if (typed === '' || !data || data.length === 0) return null;
  return (
    <ul className={styles.suggestions} aria-label={t('payouts.knownPayees')}>
      {data.map((payee) => (
        <li key={`${payee.payee} ${payee.payeeAccount}`}>
          <button type="button" onClick={() => onChosen(payee)}>
            <span>{payee.payee}</span>
            <span className={styles.account}>{payee.payeeAccount}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
