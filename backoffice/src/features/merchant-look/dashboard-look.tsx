import { merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatRate } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import styles from './look.module.css';

const periods = ['today', 'days7', 'days30'] as const;
const kinds = ['collection', 'payout'] as const;

/** The merchant's balances, and the figures of a period. */
export function DashboardLook({ code }: { code: string }): ReactElement {
  return (
    <>
      <Balances code={code} />
      <Period code={code} />
    </>
  );
}

function Balances({ code }: { code: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(reading(merchantLookEndpoints.account, { params: { code } }));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  const money = (amount: string | undefined) =>
    data && amount !== undefined ? <Money amount={amount} currency={data.figures.currency} /> : undefined;
  return (
    <Section title={t('officeMerchants.balances')} isCard>
      <div className={styles.parts}>
        <Figures isBusy={!data}>
          <Figure label={t('account.available')} value={money(data?.figures.available)} size="lead" />
          <Figure label={t('account.locked')} value={money(data?.figures.locked)} />
          <Figure label={t('fundFlow.unsettled')} value={money(data?.figures.unsettled)} />
          <Figure label={t('account.total')} value={money(data?.figures.total)} />
        </Figures>
        {data && (
          <Fields
            fields={[
              { label: t('fundFlow.payouts'), value: money(data.breakdown.locked.payouts.amount) },
              { label: t('fundFlow.withdrawals'), value: money(data.breakdown.locked.withdrawals.amount) },
              { label: t('fundFlow.payments'), value: money(data.breakdown.unsettled.payments.amount) },
              { label: t('fundFlow.batches'), value: money(data.breakdown.unsettled.batches.amount) },
              {
                label: t('fundFlow.nextSettlement'),
                value: <TimeText at={data.breakdown.nextSettlement.at} style="minute" />,
              },
            ]}
          />
        )}
      </div>
    </Section>
  );
}

function Period({ code }: { code: string }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const [period, setPeriod] = useState<(typeof periods)[number]>('today');
  const { data, error, refetch } = useQuery(
    reading(merchantLookEndpoints.dashboard, { params: { code }, query: { period } }),
  );
  return (
    <Section title={t('dashboard.title')} isCard>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{t('dashboard.period.label')}</legend>
        {periods.map((each) => (
          <Button
            key={each}
            look={each === period ? 'primary' : 'outline'}
            aria-pressed={each === period}
            onClick={() => setPeriod(each)}
          >
            {t(each === 'today' ? 'dashboard.today' : `dashboard.period.${each}`)}
          </Button>
        ))}
      </fieldset>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <Figures isBusy={!data}>
        {kinds.map((kind) => {
          const figures = data?.current[kind];
          return (
            <Figure
              key={kind}
              label={t(kind === 'collection' ? 'dashboard.collected' : 'dashboard.paidOut')}
              value={figures && data && <Money amount={figures.amount} currency={data.currency} />}
              note={
                figures && (
                  <>
                    {t('dashboard.count')} <Count of={figures.count} /> · {t('dashboard.successRate')}{' '}
                    {formatRate(figures.successRate, language)}
                  </>
                )
              }
            />
          );
        })}
      </Figures>
    </Section>
  );
}
