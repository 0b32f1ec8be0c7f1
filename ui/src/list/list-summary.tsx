import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactElement } from 'react';
import { formatCount, formatInstant, offsetText } from '../language/format.ts';
import { useLanguage, useT } from '../language/i18n.ts';
import { useUiSettings } from '../language/ui-settings.ts';
import { Filled } from '../values/filled.tsx';
import { Money } from '../values/money.tsx';
import styles from './list-page.module.css';
import type { ListSource, QueryValues } from './list-source.ts';
import type { ListReply } from './list-types.ts';
import { type CountedTotals, useTotals } from './use-totals.ts';

interface ListSummaryProps {
  page: ListReply<unknown>;
  source: ListSource<unknown>;
  /** The filters that are set. */
  filters: QueryValues;
  /** Label of the sum; absent for a list without one. */
  sumLabel?: PhraseKey | undefined;
}

/** The number of matching rows, their sum, and the zone of the times. */
export function ListSummary({ page, source, filters, sumLabel }: ListSummaryProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUiSettings();
  const counted = useTotals({ source, filters, page });
  const { totals } = counted;
  const count = totals?.count ?? page.total.count;
  const isExact = page.total.exact || totals !== undefined;
  const sum = totals ? totals.sum : page.sum;
  return (
    <p className={styles.summary}>
      <span>
        <strong>{formatCount(count, language) + (isExact ? '' : '+')}</strong> {t('ui.rows', { count })}
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
      <AsOf
        {...counted}
        at={totals?.at ?? (page.total.exact ? page.at : undefined)}
        isMissing={!isExact && sumLabel !== undefined}
      />
      <span className={styles.zone}>{t('ui.zone', { zone, offset: offsetText(Date.now(), zone) })}</span>
    </p>
  );
}

interface AsOfProps extends Omit<CountedTotals, 'totals'> {
  /** The time as of which the totals are exact. */
  at: string | undefined;
  /** The list has a sum, and nothing has added it up. */
  isMissing: boolean;
}

/** When the totals were exact, how far a count has come, or that there are none. */
function AsOf({ at, isCounting, countedSoFar, isMissing }: AsOfProps): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUiSettings();
  let text: string | undefined;
  if (at !== undefined) text = t('ui.totalsAt', { time: formatInstant(at, zone, language) });
  else if (isCounting && countedSoFar !== undefined)
    text = t('ui.countedSoFar', { number: formatCount(countedSoFar, language) });
  else if (isCounting) text = t('ui.counting');
  else if (isMissing) text = t('ui.sumTooMany');
  return text === undefined ? null : <span>{text}</span>;
}
