const quarterMs = 900_000;

/**
 * Returns a formatter of instants in a zone: "2026-05-01 09:30:00". It caches offsets, which change at quarter hours only.
 */
export function clockOf(zone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const offsets = new Map<number, number>();
  const offsetAt = (atMs: number): number => {
    const quarter = Math.floor(atMs / quarterMs);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const startMs = quarter * quarterMs;
    const parts = Object.fromEntries(
      format.formatToParts(startMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - startMs;
    offsets.set(quarter, offset);
    return offset;
  };
  return (instant) => {
    const atMs = Date.parse(instant);
    return new Date(atMs + offsetAt(atMs)).toISOString().slice(0, 19).replace('T', ' ');
  };
}
