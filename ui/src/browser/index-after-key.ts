/** The place in a row of `count` that an arrow key, Home or End moves to; undefined for other keys. `from` is undefined at first. */
export function indexAfterKey(key: string, from: number | undefined, count: number): number | undefined {
  const last = count - 1;
  const steps: Record<string, number> = {
    ArrowRight: from === undefined ? 0 : Math.min(from + 1, last),
    ArrowLeft: from === undefined ? last : Math.max(from - 1, 0),
    Home: 0,
    End: last,
  };
  return steps[key];
}
