import type { Dashboard, DashboardFigures, DashboardQuery } from '@hengfu/contract/dashboard';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { formatCount, formatMoney, formatRate } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement, ReactNode } from 'react';
import styles from '../dashboard-page.module.css';
import { ChangeNote } from './change-note.tsx';
import { useComparedText } from './compared-text.ts';
import { changeOf, rateChangeOf } from './comparison.ts';
import { usePeriodName } from './period-name.ts';

interface PeriodFiguresProps {
  title: PhraseKey;
  kind: 'collection' | 'payout';
  query: DashboardQuery;
  /** Undefined while loading. */
  data: Dashboard | undefined;
}

/** A period's figures for one kind of order, each with its change against the period before. */
export function PeriodFigures({ title, kind, query, data }: PeriodFiguresProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const periodName = usePeriodName();
  const comparedText = useComparedText();
  const figures = data?.current[kind];
  const [current, before] = [data?.comparison?.current[kind], data?.comparison?.before[kind]];
  const texts = {
    amount: ({ amount }: DashboardFigures) => (data ? formatMoney(amount, data.currency, language) : ''),
    count: ({ count }: DashboardFigures) => formatCount(count, language),
    successRate: ({ successRate }: DashboardFigures) => formatRate(successRate, language),
  };
  const figure = (name: keyof DashboardFigures): { value: string | undefined; note: ReactNode } => {
    const text = texts[name];
    // Holds the lines while loading, so that nothing moves.
    if (!data || !figures) return { value: undefined, note: <span className={styles.change} /> };
    const value = text(figures);
    if (!current || !before) return { value, note: <ChangeNote change={undefined} compared={undefined} /> };
    const change =
      name === 'successRate'
        ? rateChangeOf(current.successRate, before.successRate)
        : changeOf(current[name], before[name]);
    const compared = comparedText({ query, data, value, current: text(current), before: text(before) });
    return { value, note: <ChangeNote change={change} compared={compared} /> };
  };
  return (
    <Section isCard title={t(title)} extra={<span>{periodName(query)}</span>}>
      <Figures isBusy={data === undefined}>
        <Figure size="lead" label={t('dashboard.amount')} {...figure('amount')} />
        <Figure size="lead" label={t('dashboard.count')} {...figure('count')} />
        <Figure
          size="lead"
          label={t('dashboard.successRate')}
          hint={t('dashboard.successRateHint')}
          {...figure('successRate')}
          {...(figures?.successRate === null && { note: t('dashboard.noneDecided') })}
        />
      </Figures>
    </Section>
  );
}
