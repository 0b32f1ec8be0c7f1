import type { Dashboard } from '@hengfu/contract/dashboard';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactElement } from 'react';
import { formatCount, formatMoney, formatRate } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { Figure, Figures } from '../../ui/figure-card.tsx';
import { Section } from '../../ui/section.tsx';

interface DayFiguresProps {
  title: PhraseKey;
  kind: 'collection' | 'payout';
  /** Undefined while loading. */
  data: Dashboard | undefined;
}

/** Today's figures for one kind of order, each beside yesterday's. */
export function DayFigures({ title, kind, data }: DayFiguresProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const today = data?.today[kind];
  const yesterday = data?.yesterday[kind];
  const before = (value: string | undefined) =>
    value === undefined ? ' ' : t('dashboard.versusYesterday', { value });
  const money = (amount: string | undefined) =>
    data && amount !== undefined ? formatMoney(amount, data.currency, language) : undefined;
  const count = (value: number | undefined) =>
    value === undefined ? undefined : formatCount(value, language);
  const rate = (value: number | null | undefined) =>
    value === undefined ? undefined : formatRate(value, language);
  return (
    <Section isCard title={t(title)} extra={<span>{t('dashboard.today')}</span>}>
      <Figures isBusy={data === undefined}>
        <Figure
          size="lead"
          label={t('dashboard.amount')}
          value={money(today?.amount)}
          note={before(money(yesterday?.amount))}
        />
        <Figure
          size="lead"
          label={t('dashboard.count')}
          value={count(today?.count)}
          note={before(count(yesterday?.count))}
        />
        <Figure
          size="lead"
          label={t('dashboard.successRate')}
          hint={t('dashboard.successRateHint')}
          value={rate(today?.successRate)}
          note={
            today?.successRate === null ? t('dashboard.noneDecided') : before(rate(yesterday?.successRate))
          }
        />
      </Figures>
    </Section>
  );
}
