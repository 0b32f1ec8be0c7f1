import type { MovedOrders, MovedQuery } from '@hengfu/contract/daily-reports';
import type { Currency } from '@hengfu/contract/money';
import { formatDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { movedOptions } from './daily-reports.api.ts';
import styles from './daily-reports.module.css';

interface MovedSectionProps {
  query: MovedQuery;
  currency: Currency;
}

/** The orders around midnight that fall on different days at two offsets. */
export function MovedSection({ query, currency }: MovedSectionProps): ReactElement {
  const t = useT();
  const { data: spans, error, refetch } = useQuery(movedOptions(query));
  const { offset, other } = query;
  return (
    <Section isCard title={t('dailyReports.movedTitle')}>
      <p className={styles.intro}>
        {t('dailyReports.movedIntro', { offset: `UTC${offset}`, other: `UTC${other}` })}
      </p>
      {error && <Failure error={error} isStale={spans !== undefined} onRetry={() => void refetch()} />}
      {spans?.length === 0 && <p className={styles.intro}>{t('dailyReports.movedNone')}</p>}
      {spans && spans.length > 0 && (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>{t('dailyReports.span')}</th>
                <th>{t('dailyReports.under', { offset })}</th>
                <th>{t('dailyReports.under', { offset: other })}</th>
                <th data-align="end">{t('dailyReports.collections')}</th>
                <th data-align="end">{t('dailyReports.payouts')}</th>
              </tr>
            </thead>
            <tbody>
              {spans.map((span) => (
                <Span key={span.from} span={span} currency={currency} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function Span({ span, currency }: { span: MovedOrders; currency: Currency }): ReactElement {
  const language = useLanguage();
  const { from, to, collections, payouts } = span;
  return (
    <tr>
      <th scope="row">
        <TimeText at={from} style="minute" /> – <TimeText at={to} style="minute" />
      </th>
      <td>{formatDay(span.day, language)}</td>
      <td>{formatDay(span.otherDay, language)}</td>
      <td data-align="end">
        <Link to="/collection/payments" search={{ paidFrom: from, paidTo: to }}>
          <Count of={collections.count} /> · <Money amount={collections.amount} currency={currency} />
        </Link>
      </td>
      <td data-align="end">
        <Link to="/behalfPay/transfers" search={{ paidFrom: from, paidTo: to }}>
          <Count of={payouts.count} /> · <Money amount={payouts.amount} currency={currency} />
        </Link>
      </td>
    </tr>
  );
}
