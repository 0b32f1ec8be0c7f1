import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactElement } from 'react';
import { formatCount, offsetText } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { Filled } from '../filled.tsx';
import { Money } from '../money.tsx';
import styles from './list-page.module.css';
import type { ListReply } from './list-types.ts';

interface ListSummaryProps {
  page: Pick<ListReply<unknown>, 'total' | 'sum'>;
  /** Label of the sum; absent for a list without one. */
  sumLabel?: PhraseKey | undefined;
}

/** The number of matching rows, their sum, and the zone of the times. */
export function ListSummary({ page: { total, sum }, sumLabel }: ListSummaryProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const shown = formatCount(total.count, language) + (total.exact ? '' : '+');
  return (
    <p className={styles.summary}>
      <span>
        <strong>{shown}</strong> {t('ui.rows', { count: total.count })}
      </span>
      {sumLabel && sum && (
        <span>
          <Filled phrase={(value) => t('ui.colonLabelled', { label: t(sumLabel), value })}>
            <strong>
              <Money amount={sum.amount} currency={sum.currency} />
            </strong>
          </Filled>
        </span>
      )}
      {sumLabel && !sum && !total.exact && <span>{t('ui.sumTooMany')}</span>}
      <span className={styles.zone}>{t('ui.zone', { zone, offset: offsetText(Date.now(), zone) })}</span>
    </p>
  );
}
