import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import type { ReactElement } from 'react';
import styles from './chart.module.css';
import type { LineChartProps } from './line-chart.tsx';

const LineChart = onDemand(() => import('./line-chart.tsx').then((module) => module.LineChart), null);

/** Fetches the code of charts, which a page needs once its figures are there. */
export const prefetchChart = LineChart.prefetch;

/** A line chart, whose code is in a chunk of its own. Its space is reserved. */
export function ChartOnDemand(props: LineChartProps): ReactElement {
  return (
    <div className={styles.stage} style={{ minHeight: props.heightPx }}>
      <LineChart {...props} />
    </div>
  );
}
