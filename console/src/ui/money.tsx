import type { Currency } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { formatMoney } from '../platform/format.ts';
import { useLanguage } from '../platform/i18n.ts';
import styles from './text.module.css';

/** An amount with its currency, in one line and with digits that line up. */
export function Money({ amount, currency }: { amount: string; currency: Currency }): ReactElement {
  const language = useLanguage();
  return <span className={styles.figure}>{formatMoney(amount, currency, language)}</span>;
}
