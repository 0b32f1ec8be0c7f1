import type { AccountFigures as AccountData } from '@hengfu/contract/account';
import { formatMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { accountOptions } from './account.api.ts';

/** The account's available funds, locked funds, balance and total, with the unsettled part of the total. */
export function AccountFigures(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { data, error, refetch } = useQuery(accountOptions);
  useLive(['account'], accountOptions.queryKey);

  const money = (name: Exclude<keyof AccountData, 'currency'>) =>
    data && <Money amount={data[name]} currency={data.currency} />;
  return (
    <Section
      isCard
      title={t('account.title')}
      extra={
        <HasPerm any={['funds.read']}>
          <Link to="/fund/fundWater">{t('fundFlow.made')}</Link>
        </HasPerm>
      }
    >
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {(data || !error) && (
        <Figures isBusy={data === undefined}>
          <Figure
            label={t('account.available')}
            hint={t('account.availableHint')}
            value={money('available')}
          />
          <Figure label={t('account.locked')} hint={t('account.lockedHint')} value={money('locked')} />
          <Figure label={t('account.balance')} hint={t('account.balanceHint')} value={money('balance')} />
          <Figure
            label={t('account.total')}
            hint={t('account.totalHint')}
            value={money('total')}
            note={
              data &&
              t('account.ofWhichUnsettled', { amount: formatMoney(data.unsettled, data.currency, language) })
            }
          />
        </Figures>
      )}
    </Section>
  );
}
