import type { Currency } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { formatMoney } from '../platform/format.ts';
import { useLanguage } from '../platform/i18n.ts';
import styles from './text.module.css';

/** Returns a function that formats an amount with its currency as text. */
export function useMoneyText(): (amount: string, currency: Currency) => string {
  const language = useLanguage();
  return (amount, currency) => formatMoney(amount, currency, language);
}

/** An amount with its currency, without line breaks and in tabular digits. */
export function Money({ amount, currency }: { amount: string; currency: Currency }): ReactElement {
  const language = useLanguage();
  return <span className={styles.figure}>{formatMoney(amount, currency, language)}</span>;
}
