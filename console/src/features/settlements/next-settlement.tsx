import { accountEndpoints } from '@hengfu/contract/account';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useMoneyText } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import styles from './next-settlement.module.css';

const breakdownOptions = reading(accountEndpoints.breakdown);

/** Shows when the next settlement is due, and the amount it would move as of now. */
export function NextSettlement(): ReactElement {
  return (
    <HasPerm any={['funds.read']}>
      <Forecast />
    </HasPerm>
  );
}

function Forecast(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const moneyText = useMoneyText();
  const { zone } = useUser();
  const { data } = useQuery(breakdownOptions);
  useLive(['account'], breakdownOptions.queryKey);
  // Holds the line, so that the rows below never move.
  if (!data) return <p className={styles.next} />;
  const { at, amount } = data.nextSettlement;
  const value = t('fundFlow.nextSettlementAt', {
    amount: moneyText(amount, data.currency),
    at: formatInstant(at, zone, language, 'minute'),
  });
  return (
    <p className={styles.next}>
      <Icon name="circleInfo" />
      {t('ui.labelled', { label: t('fundFlow.nextSettlement'), value })}
    </p>
  );
}
