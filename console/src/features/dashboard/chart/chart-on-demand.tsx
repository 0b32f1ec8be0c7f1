import { lazy, type ReactElement, Suspense } from 'react';
import styles from './chart.module.css';
import type { LineChartProps } from './line-chart.tsx';

const Loaded = lazy(() => import('./line-chart.tsx').then(({ LineChart }) => ({ default: LineChart })));

/** A line chart, whose code is fetched after the figures are on screen. Its space is reserved. */
export function ChartOnDemand(props: LineChartProps): ReactElement {
  return (
    <div className={styles.stage} style={{ minHeight: props.heightPx }}>
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    </div>
  );
}
