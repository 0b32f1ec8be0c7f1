import type { ChannelCode } from '@hengfu/contract/channels';
import type { KnownPayee } from '@hengfu/contract/payouts';
import { isComposing } from '@hengfu/ui/browser/is-composing.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useDeferredValue, useEffect, useRef } from 'react';
import { payeesOptions } from '../payout-apply.api.ts';
import styles from '../payout-form.module.css';

interface PayeeSuggestionsProps {
  channel: ChannelCode;
  search: string;
  onChosen: (payee: KnownPayee) => void;
  onClose: () => void;
}

/**
 * Suggests earlier payees that begin with the typed text; choosing one fills the form. Closes on Escape, when
 * a form is submitted, and when anything outside of the parent element is clicked or focused.
 */
export function PayeeSuggestions({
  channel,
  search,
  onChosen,
  onClose,
}: PayeeSuggestionsProps): ReactElement | null {
  const t = useT();
  const listRef = useRef<HTMLUListElement>(null);
  useCloseOutside(listRef, onClose);
  const typed = useDeferredValue(search.trim());
  const { data } = useQuery({ ...payeesOptions(channel, typed), enabled: typed !== '' });
  if (search.trim() === '' || typed === '' || !data || data.length === 0) return null;
  return (
    <ul ref={listRef} className={styles.suggestions} aria-label={t('payouts.knownPayees')}>
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

/** Calls `onClose` on Escape, on submit, and on a click or focus outside of the list and the field beside it. */
function useCloseOutside(listRef: RefObject<HTMLElement | null>, onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isComposing(event)) onClose();
    };
    const onElsewhere = ({ target }: Event) => {
      const parent = listRef.current?.parentElement;
      if (parent && target instanceof Node && !parent.contains(target)) onClose();
    };
    addEventListener('keydown', onKey);
    // While capturing, so that the list is closed before a handler of the form opens a dialog.
    addEventListener('submit', onClose, true);
    addEventListener('pointerdown', onElsewhere);
    addEventListener('focusin', onElsewhere);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('submit', onClose, true);
      removeEventListener('pointerdown', onElsewhere);
      removeEventListener('focusin', onElsewhere);
    };
  }, [listRef, onClose]);
}
