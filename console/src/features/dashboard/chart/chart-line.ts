/** One line of a chart. */
export interface ChartLine {
  name: string;
  /** One per point; null where there is none. */
  values: readonly (number | null)[];
  /** The theme's color. */
  color: string;
  /** CSS pixels drawn and left out in turn, for readers who do not see colors. */
  dash: number[];
  width: number;
  /** The area below the line is tinted. */
  isFilled?: boolean;
}

/** The content of a chart. */
export interface ChartData {
  /** Labels of the points on the horizontal axis. */
  labels: readonly string[];
  lines: readonly ChartLine[];
  /** Writes a value on the vertical axis. */
  axisText: (value: number) => string;
  /** The top of the vertical axis; by default, the largest value and some room. */
  top?: number;
}

/** Whether any value is above zero; without one, a scale of amounts has no meaning. */
export function hasScale({ lines, top }: ChartData): boolean {
  return top !== undefined || lines.some(({ values }) => values.some((value) => value !== null && value > 0));
}

/** The looks of lines that are told apart by their order. */
export const lineLooks: readonly Pick<ChartLine, 'color' | 'dash' | 'width'>[] = [
  { color: '--accent', dash: [], width: 2 },
  { color: '--second', dash: [10, 3], width: 2 },
  { color: '--success', dash: [2, 3], width: 2 },
  { color: '--field', dash: [4, 4], width: 2 },
];
