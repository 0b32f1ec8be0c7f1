import type { StatementSums as Sums } from '@hengfu/contract/fund-flow';
import { formatAmount, parseAmount } from '@hengfu/contract/money';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import { type Range, sumsOptions } from './fund-flow.api.ts';
import styles from './fund-flow.module.css';

/** Shows the totals of the chosen range, and whether they add up. */
export function StatementSums({ range }: { range: Range }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const options = sumsOptions(range);
  const { data: sums, error, refetch } = useQuery({ ...options, placeholderData: keepPreviousData });
  useLive(['account'], options.queryKey);
  const money = (name: 'opening' | 'in' | 'out' | 'closing') =>
    sums && <Money amount={sums[name]} currency={sums.currency} />;
  if (error && !sums) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Section
      isCard
      title={t('fundFlow.entries', { count: sums ? formatCount(sums.count, language) : '–' })}
      extra={sums && addsUp(sums) && <Tick text={t('fundFlow.adds')} />}
    >
      <Figures isBusy={sums === undefined}>
        <Figure label={t('fundFlow.opening')} value={money('opening')} />
        <Figure label={t('fundFlow.in')} value={money('in')} />
        <Figure label={t('fundFlow.out')} value={money('out')} />
        <Figure label={t('fundFlow.closing')} value={money('closing')} />
      </Figures>
      {sums && !addsUp(sums) && <Notice tone="bad">{t('fundFlow.doesNotAdd')}</Notice>}
    </Section>
  );
}

/** Recalculates the closing balance from the figures on screen. */
function addsUp({ currency, opening, closing, in: cameIn, out }: Sums): boolean {
  const minor = (text: string) => parseAmount(text, currency) ?? 0n;
  return formatAmount(minor(opening) + minor(cameIn) - minor(out), currency) === closing;
}

/** A statement with a check mark. */
export function Tick({ text }: { text: string }): ReactElement {
  return (
    <span className={styles.tick}>
      <Icon name="circleCheck" />
      {text}
    </span>
  );
}
