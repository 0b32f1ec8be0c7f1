import type { AccountBreakdown } from '@hengfu/contract/account';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatCount, formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money, useMoneyText } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { BalanceMoment } from './balance-moment.tsx';
import { breakdownOptions, figuresAtOptions, figuresOptions } from './fund-flow.api.ts';
import styles from './fund-flow.module.css';
import { Tick } from './statement-sums.tsx';

/** The account's figures, now or at a past moment, and the orders behind them. */
export function AccountExplained(): ReactElement {
  const t = useT();
  const [at, setAt] = useState<string>();
  const now = useQuery(figuresOptions);
  const then = useQuery({
    ...figuresAtOptions(at ?? ''),
    enabled: at !== undefined,
  });
  useLive(['account'], figuresOptions.queryKey, breakdownOptions.queryKey);
  const { data: figures, error, refetch } = at === undefined ? now : then;
  const money = (name: 'available' | 'locked' | 'unsettled' | 'total') =>
    figures && <Money amount={figures[name]} currency={figures.currency} />;
  return (
    <Section isCard title={t('fundFlow.explain')} extra={<BalanceMoment at={at} onChange={setAt} />}>
      {error && <Failure error={error} isStale={figures !== undefined} onRetry={() => void refetch()} />}
      <Figures isBusy={figures === undefined}>
        <Figure label={t('account.available')} value={money('available')} note={<AsOf at={at} />} />
        <Figure label={t('account.locked')} value={money('locked')} />
        <Figure label={t('fundFlow.unsettled')} value={money('unsettled')} />
        <Figure label={t('account.total')} value={money('total')} />
      </Figures>
      {at === undefined && <Breakdown />}
    </Section>
  );
}

function AsOf({ at }: { at: string | undefined }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  return at && t('fundFlow.asOf', { at: formatInstant(at, zone, language, 'full') });
}

function Breakdown(): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const moneyText = useMoneyText();
  const { zone } = useUser();
  const { data, error, refetch } = useQuery(breakdownOptions);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { currency, locked, unsettled, nextSettlement } = data;
  const part = (of: Part) => <PartText part={of} currency={currency} />;
  return (
    <div className={styles.parts}>
      <Parts title={t('account.locked')} agrees={locked.agrees}>
        <Link to="/behalfPay/transfers" search={{ status: 'pending,processing,pendingSettlement' }}>
          {t('fundFlow.payouts')}
        </Link>
        {part(locked.payouts)}
        <Link to="/withdrawal/record" search={{ status: 'pendingReview,approved' }}>
          {t('fundFlow.withdrawals')}
        </Link>
        {part(locked.withdrawals)}
      </Parts>
      <Parts title={t('fundFlow.unsettled')} agrees={unsettled.agrees}>
        <Link to="/collection/payments" search={{ settlementStatus: 'unsettled' }}>
          {t('fundFlow.payments')}
        </Link>
        {part(unsettled.payments)}
        <span>{t('fundFlow.refunds')}</span>
        {part(unsettled.refunds)}
        <Link to="/collection/Settlements" search={{ status: 'pendingSettlement' }}>
          {t('fundFlow.batches')}
        </Link>
        {part(unsettled.batches)}
        <span>{t('fundFlow.nextSettlement')}</span>
        <span>
          {t('fundFlow.nextSettlementAt', {
            amount: moneyText(nextSettlement.amount, currency),
            at: formatInstant(nextSettlement.at, zone, language, 'minute'),
          })}
        </span>
      </Parts>
    </div>
  );
}

type Part = AccountBreakdown['locked']['payouts'];

function PartText({ part, currency }: { part: Part; currency: AccountBreakdown['currency'] }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const count = formatCount(part.count, language) + (part.exact ? '' : '+');
  return (
    <span>
      {part.exact && <Money amount={part.amount} currency={currency} />}
      {part.exact && ' · '}
      <span className={styles.muted}>{t('fundFlow.orders', { count })}</span>
    </span>
  );
}

interface PartsProps {
  title: string;
  agrees: boolean | null;
  children: ReactNode;
}

function Parts({ title, agrees, children }: PartsProps): ReactElement {
  const t = useT();
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <div className={styles.lines}>{children}</div>
      {agrees === true && <Tick text={t('fundFlow.agrees')} />}
      {agrees === false && <Notice tone="bad">{t('fundFlow.disagrees')}</Notice>}
      {agrees === null && <span className={styles.muted}>{t('fundFlow.tooMany')}</span>}
    </div>
  );
}
