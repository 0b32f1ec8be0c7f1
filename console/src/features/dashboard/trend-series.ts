import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { TrendSeries } from './trend-data.ts';

/** Names of the chart's lines. */
export const seriesPhrases: Readonly<Record<TrendSeries, PhraseKey>> = {
  collected: 'dashboard.trendCollected',
  collectedYesterday: 'dashboard.trendCollectedYesterday',
  paidOut: 'dashboard.trendPaidOut',
};

/** How each line is drawn: a theme color, and a dash pattern (CSS pixels) for color-blind readers. */
export const seriesStrokes: Readonly<Record<TrendSeries, { color: string; dash: number[]; width: number }>> =
  {
    collected: { color: '--accent', dash: [], width: 2 },
    collectedYesterday: { color: '--field', dash: [4, 4], width: 1.5 },
    paidOut: { color: '--second', dash: [10, 3], width: 2 },
  };
