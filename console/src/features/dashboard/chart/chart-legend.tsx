import type { ReactElement, ReactNode } from 'react';
import styles from './chart.module.css';
import type { ChartLine } from './chart-line.ts';

type Look = Pick<ChartLine, 'color' | 'dash' | 'width'>;

/** The names of a chart's lines, each with a sample. */
export function ChartLegend({
  lines,
}: {
  lines: readonly (Look & { name: string; note?: ReactNode })[];
}): ReactElement {
  return (
    <ul className={styles.legend}>
      {lines.map(({ name, note, ...look }) => (
        <li key={name}>
          <Swatch look={look} />
          {name}
          {note && <b>{note}</b>}
        </li>
      ))}
    </ul>
  );
}

/** A sample of a line. */
export function Swatch({ look: { color, dash, width } }: { look: Look }): ReactElement {
  return (
    <svg aria-hidden="true" width="22" height="8" className={styles.swatch}>
      <line
        x1="0"
        y1="4"
        x2="22"
        y2="4"
        stroke={`var(${color})`}
        strokeWidth={width}
        strokeDasharray={dash.join(' ') || undefined}
      />
    </svg>
  );
}
