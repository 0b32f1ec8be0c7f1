import type { Currency } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { formatMoney } from '../language/format.ts';
import { useLanguage, useT } from '../language/i18n.ts';
import styles from './text.module.css';

/** Returns a function that formats an amount with its currency as text. */
export function useMoneyText(): (amount: string, currency: Currency) => string {
  const language = useLanguage();
  return (amount, currency) => formatMoney(amount, currency, language);
}

/** Returns a function that names the unit of amounts in a currency: "Unit: Yuan". */
export function useUnitText(): (currency: Currency) => string {
  const t = useT();
  return (currency) => t('ui.unit', { unit: t(`ui.units.${currency}`) });
}

/** An amount with its currency, without line breaks and in tabular digits. */
export function Money({ amount, currency }: { amount: string; currency: Currency }): ReactElement {
  const language = useLanguage();
  return <span className={styles.figure}>{formatMoney(amount, currency, language)}</span>;
}
