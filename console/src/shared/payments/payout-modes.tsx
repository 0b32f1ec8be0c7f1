import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import styles from './payout-modes.module.css';

/** Tabs for a single payout or a batch: two pages behind one menu entry. */
export function PayoutModes(): ReactElement {
  const t = useT();
  const exact = { exact: true, includeSearch: true };
  return (
    <nav className={styles.modes} aria-label={t('payoutBatches.modes')}>
      <Link to="/behalfPay/apply" search={{}} activeOptions={exact}>
        {t('payoutBatches.single')}
      </Link>
      <Link to="/behalfPay/apply" search={{ mode: 'batch' }} activeOptions={{ ...exact, exact: false }}>
        {t('payoutBatches.many')}
      </Link>
    </nav>
  );
}
