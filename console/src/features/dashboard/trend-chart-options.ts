import type { Language } from '@hengfu/contract/session';
import type uPlot from 'uplot';
import { localeOf } from '../../platform/languages.ts';
import { trendSeries } from './trend-data.ts';
import { seriesStrokes } from './trend-series.ts';

interface ChartSetup {
  /** The chart's container, which has its size and the theme's colors. */
  element: HTMLElement;
  language: Language;
  /** The clock time at which each hour starts. */
  labels: readonly string[];
  /** Reports the hour under the pointer and its position; undefined when the pointer has left. */
  onPoint: (index: number | undefined, leftPx: number) => void;
}

const heightPx = 280;
const fillAlpha = '1f';

/** Builds uPlot's options. Colors are read from the document once, so a new theme needs new options. */
export function chartOptions({ element, language, labels, onPoint }: ChartSetup): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const compact = new Intl.NumberFormat(localeOf[language], {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const axis: uPlot.Axis = {
    stroke: color('--muted'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: heightPx,
    padding: [12, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: [0, Math.max(1, labels.length - 1)] },
      // Starts at zero and is never flat: a day without payments shows an empty chart.
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 56,
        incrs: [1, 2, 3, 4, 6, 12],
        values: (_plot, splits) => splits.map((index) => labels[index] ?? ''),
      },
      {
        ...axis,
        size: 52,
        space: 44,
        values: (_plot, splits) => splits.map((value) => compact.format(value)),
      },
    ],
    series: [
      {},
      ...trendSeries.map((series) => {
        const { color: name, dash, width } = seriesStrokes[series];
        return {
          stroke: color(name),
          width,
          dash,
          points: { show: false },
          ...(series === 'collected' && { fill: color(name) + fillAlpha }),
        };
      }),
    ],
    hooks: {
      setCursor: [
        (plot) => {
          const { idx, left = -1 } = plot.cursor;
          const isInside = typeof idx === 'number' && left >= 0;
          onPoint(isInside ? idx : undefined, isInside ? plot.valToPos(idx, 'x') + plot.over.offsetLeft : 0);
        },
      ],
    },
  };
}
