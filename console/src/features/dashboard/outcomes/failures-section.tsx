import {
  type CollectionFailure,
  type DashboardOutcomes,
  maxSplitRefusals,
  type PayoutFailure,
} from '@hengfu/contract/dashboard';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { formatCount, formatRate } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { addDays, startOfDay, toWire } from '@hengfu/ui/language/zone.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { HasPerm } from '../../../platform/session-store.ts';
import styles from '../dashboard-page.module.css';

const collectionReasons: Readonly<Record<CollectionFailure, PhraseKey>> = {
  expired: 'collections.reason.expired',
  cancelled: 'collections.reason.cancelled_by_merchant',
  insufficientFunds: 'collections.refusal.insufficientFunds',
  declinedByPayer: 'collections.refusal.declinedByPayer',
  other: 'collections.refusal.other',
};
const payoutReasons: Readonly<Record<PayoutFailure, PhraseKey>> = {
  accountClosed: 'payouts.refusal.accountClosed',
  nameMismatch: 'payouts.refusal.nameMismatch',
  neverArrived: 'payouts.refusal.neverArrived',
  other: 'payouts.refusal.other',
  staff: 'dashboard.failures.staff',
};

/** Why orders of the period failed: the reasons of both kinds, most frequent first. */
export function FailuresSection({ data }: { data: DashboardOutcomes | undefined }): ReactElement {
  const t = useT();
  // The list of exactly these orders.
  const created = data && {
    createdFrom: toWire(startOfDay(data.from, data.zone)),
    createdTo: toWire(startOfDay(addDays(data.to, 1), data.zone)),
  };
  return (
    <Section isCard title={t('dashboard.failures.title')}>
      <div className={styles.pair} aria-busy={data === undefined}>
        <div className={styles.kind}>
          <h3>{t('dashboard.collected')}</h3>
          {data && (
            <Reasons of={data.collection} phrases={collectionReasons}>
              {(text) => (
                <HasPerm any={['collections.read']}>
                  <Link to="/collection/payments" search={{ status: 'cancelled,closed,failed', ...created }}>
                    {text}
                  </Link>
                </HasPerm>
              )}
            </Reasons>
          )}
        </div>
        <div className={styles.kind}>
          <h3>{t('dashboard.paidOut')}</h3>
          {data && (
            <Reasons of={data.payout} phrases={payoutReasons}>
              {(text) => (
                <HasPerm any={['payouts.read']}>
                  <Link to="/behalfPay/transfers" search={{ status: 'rejected', ...created }}>
                    {text}
                  </Link>
                </HasPerm>
              )}
            </Reasons>
          )}
        </div>
      </div>
    </Section>
  );
}

interface ReasonsProps<R extends string> {
  of: { lost: number; reasons: readonly { reason: R; count: number }[]; unsplit: number };
  phrases: Readonly<Record<R, PhraseKey>>;
  /** Wraps the total in a link to the orders. */
  children: (text: string) => ReactElement;
}

function Reasons<R extends string>({ of, phrases, children }: ReasonsProps<R>): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { lost, reasons, unsplit } = of;
  if (lost === 0) return <p className={styles.quiet}>{t('dashboard.failures.none')}</p>;
  return (
    <>
      <p>{children(t('dashboard.failures.total', { count: formatCount(lost, language) }))}</p>
      <ul className={styles.reasons}>
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            <span>{t(phrases[reason])}</span>
            <span className={styles.number}>
              <b>{formatCount(count, language)}</b> {formatRate(count / lost, language, 0)}
            </span>
            <span aria-hidden="true" className={styles.bar} style={{ width: `${(count / lost) * 100}%` }} />
          </li>
        ))}
      </ul>
      {unsplit > 0 && (
        <p className={styles.quiet}>
          {t('dashboard.failures.unsplit', {
            latest: formatCount(maxSplitRefusals, language),
            count: formatCount(unsplit, language),
          })}
        </p>
      )}
    </>
  );
}
