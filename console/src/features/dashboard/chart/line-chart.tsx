import { indexAfterKey } from '@hengfu/ui/browser/index-after-key.ts';
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { useShownTheme } from '@hengfu/ui/theme/shown-theme.ts';
import styles from './chart.module.css';
import { type ChartData, hasScale } from './chart-line.ts';
import { chartOptions } from './line-chart-options.ts';

export interface LineChartProps {
  /** Describes the chart in a sentence. */
  label: string;
  data: ChartData;
  heightPx: number;
  /** The exact figures of a point. */
  tip: (index: number) => ReactNode;
}

/**
 * Charts lines over time. The pointer and the arrow keys show the figures of a point, which a screen reader announces; a table
 * has them all.
 */
export function LineChart({ label, data, heightPx, tip }: LineChartProps): ReactElement {
  const t = useT();
  const hintId = useId();
  const [shown, setShown] = useState<number>();
  const { box, place } = usePlot(data, heightPx, setShown);
  const count = data.labels.length;
  const turn = (event: KeyboardEvent) => {
    const next = indexAfterKey(event.key, shown, count);
    if (next === undefined) return;
    event.preventDefault();
    setShown(next);
  };
  return (
    <div className={styles.plot}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
      <div
        ref={box}
        role="group"
        aria-label={label}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move along the points of the one picture that this is.
        tabIndex={0}
        className={styles.canvas}
        onKeyDown={turn}
        onBlur={() => setShown(undefined)}
      />
      <div
        role="status"
        className={styles.tip}
        hidden={shown === undefined}
        data-side={shown !== undefined && shown > count / 2 ? 'start' : 'end'}
        style={{ left: shown === undefined ? 0 : place(shown) }}
      >
        {shown !== undefined && shown < count && tip(shown)}
      </div>
      <p id={hintId} hidden>
        {t('dashboard.chartHint')}
      </p>
    </div>
  );
}

/** Draws the lines into a box. Returns the box's ref, and a function that finds a point's horizontal place in CSS pixels. */
function usePlot(data: ChartData, heightPx: number, onPoint: (index: number | undefined) => void) {
  const language = useLanguage();
  const theme = useShownTheme();
  const themeColor = usePreferences((preferences) => preferences.themeColor);
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  /** Changes with anything that a canvas does not follow by itself; new values alone keep the chart. */
  const look = [
    theme,
    themeColor,
    language,
    data.labels.join(),
    data.lines.map(({ name }) => name).join(),
    hasScale(data),
  ].join('|');
  const columns: uPlot.AlignedData = [
    data.labels.map((_, index) => index),
    ...data.lines.map(({ values }) => [...values]),
  ];

  // Before the first paint: drawn in an effect, the chart would follow the figures after all other effects of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` stands for everything that the options depend on.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const options = chartOptions({ element, heightPx, data, onPoint });
    const plot = new uPlot(options, columns, element);
    chart.current = plot;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) plot.setSize({ width: entry.contentRect.width, height: heightPx });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
      chart.current = undefined;
    };
  }, [look, heightPx]);
  const text = JSON.stringify(columns);
  useLayoutEffect(() => void chart.current?.setData(JSON.parse(text)), [text]);

  const place = (index: number) => {
    const plot = chart.current;
    return plot ? plot.valToPos(index, 'x') + plot.over.offsetLeft : 0;
  };
  return { box, place };
}
