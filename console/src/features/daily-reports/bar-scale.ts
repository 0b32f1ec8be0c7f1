/** The gridlines of a chart, from zero to at least the largest value. */
export interface BarScale {
  /** The value at the chart's top. */
  top: number;
  /** Values of the gridlines above zero, ascending; the last is `top`. */
  lines: readonly number[];
}

const maxLines = 4;
const roundSteps = [1, 2, 2.5, 5, 10];

/** Divides the range up to the largest value into at most four round steps. */
export function scaleOf(largest: number): BarScale {
  const rough = Math.max(largest, 1) / maxLines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (roundSteps.find((round) => round * power >= rough) ?? 10) * power;
  const count = Math.max(1, Math.ceil(largest / step));
  const lines = Array.from({ length: count }, (_, index) => (index + 1) * step);
  return { top: count * step, lines };
}
