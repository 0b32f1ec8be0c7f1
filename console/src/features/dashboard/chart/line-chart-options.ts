import type uPlot from 'uplot';
import { type ChartData, hasScale } from './chart-line.ts';

interface ChartSetup {
  /** The chart's container, which has its size and the theme's colors. */
  element: HTMLElement;
  heightPx: number;
  data: ChartData;
  /** Reports the point under the pointer; undefined when the pointer has left. */
  onPoint: (index: number | undefined) => void;
}

const fillAlpha = '1f';

/** Builds uPlot's options. Colors are read from the document once, so a new theme needs new options. */
export function chartOptions({ element, heightPx, data, onPoint }: ChartSetup): uPlot.Options {
  const { labels, lines, axisText, top } = data;
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const isScaled = hasScale(data);
  let isInside = false;
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
      y: { range: (_plot, _low, high) => [0, top ?? (high > 0 ? high * 1.08 : 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 56,
        incrs: [1, 2, 3, 4, 6, 7, 12, 14, 28],
        values: (_plot, splits) => splits.map((index) => labels[index] ?? ''),
      },
      {
        ...axis,
        size: 56,
        space: 44,
        values: (_plot, splits) => splits.map((value) => (isScaled || value === 0 ? axisText(value) : '')),
      },
    ],
    series: [
      {},
      ...lines.map(({ color: name, dash, width, isFilled = false, values }) => {
        const isSinglePoint = values.filter((value) => value !== null).length === 1;
        return {
          stroke: color(name),
          width,
          dash,
          spanGaps: true,
          points: { show: isSinglePoint },
          ...(isFilled && { fill: color(name) + fillAlpha }),
        };
      }),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = -1 } }) => {
          const wasInside = isInside;
          isInside = typeof idx === 'number' && left >= 0;
          // New data reports a pointer outside as well: what the keyboard shows then stays.
          if (isInside) onPoint(idx ?? undefined);
          else if (wasInside) onPoint(undefined);
        },
      ],
    },
  };
}
