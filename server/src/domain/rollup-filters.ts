import type { Currency } from '@hengfu/contract/money';

/** The filters of a list, if each of them is a key of the rollup; undefined ones are not set. */
export interface RollupFilters {
  merchantId: bigint;
  kind: 'collection' | 'payout';
  /** The time that the range selects, by which the list is ordered. */
  axis: 'created' | 'paid';
  currency: Currency;
  /** ISO 8601, start inclusive, end exclusive. */
  from: string | undefined;
  to: string | undefined;
  channel: string | undefined;
  status: readonly string[] | undefined;
  settlementStatus: readonly string[] | undefined;
}

/** The filters of a query that may be keys of the rollup. */
type RollupQuery = Partial<
  Record<'createdFrom' | 'createdTo' | 'paidFrom' | 'paidTo' | 'channel', string | undefined>
> &
  Partial<Record<'status' | 'settlementStatus', readonly string[] | undefined>>;

/** Instants with more than three decimals: orders have whole milliseconds, and a range must not be rounded. */
const finerThanMs = /\.\d{4}/;
const pagingFields = ['limit', 'cursor'];

/**
 * Returns a query's filters as keys of the rollup; undefined if any filter is not a key, or if there are ranges on both
 * axes. A list with a range of payment times alone is ordered by them.
 */
export function rollupFiltersOf(
  kind: RollupFilters['kind'],
  { merchantId, currency }: Pick<RollupFilters, 'merchantId' | 'currency'>,
  query: RollupQuery,
): RollupFilters | undefined {
  const { createdFrom, createdTo, paidFrom, paidTo, channel, status, settlementStatus, ...others } = query;
  const isOther = ([name, value]: [string, unknown]) => value !== undefined && !pagingFields.includes(name);
  if (Object.entries(others).some(isOther)) return undefined;
  const isByPayment = (paidFrom ?? paidTo) !== undefined;
  if (isByPayment && (createdFrom ?? createdTo) !== undefined) return undefined;
  const [from, to] = isByPayment ? [paidFrom, paidTo] : [createdFrom, createdTo];
  if ([from, to].some((text) => text !== undefined && finerThanMs.test(text))) return undefined;
  const axis = isByPayment ? 'paid' : 'created';
  return { merchantId, kind, axis, currency, from, to, channel, status, settlementStatus };
}

/** A span of time in milliseconds since 1970: start inclusive, end exclusive; infinite if open. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A range of time in the pieces that the rollup sums, and the rest that only the rows can tell. */
export interface RollupPieces {
  months: Span[];
  days: Span[];
  buckets: Span[];
  rows: Span[];
}

const bucketMs = 900_000;
const dayMs = 86_400_000;

/**
 * Splits a range into as few pieces as possible: rows at its edges if they cut a bucket, then buckets up to a whole day,
 * closed days up to a whole month, and months.
 * @param closedEndMs end of the last closed day; minus infinity if none is closed
 */
export function rollupPieces({ fromMs, toMs }: Span, closedEndMs: number): RollupPieces {
  if (fromMs >= toMs) return { months: [], days: [], buckets: [], rows: [] };
  const [firstBucket, lastBucket] = [up(fromMs, bucketMs), down(toMs, bucketMs)];
  if (firstBucket > lastBucket) return { months: [], days: [], buckets: [], rows: [{ fromMs, toMs }] };
  const [firstDay, lastDay] = [up(firstBucket, dayMs), Math.min(down(lastBucket, dayMs), closedEndMs)];
  const inDays = firstDay < lastDay;
  const [firstMonth, lastMonth] = [monthUp(firstDay), monthDown(lastDay)];
  const inMonths = inDays && firstMonth < lastMonth;
  return {
    rows: spans([fromMs, firstBucket], [lastBucket, toMs]),
    buckets: inDays
      ? spans([firstBucket, firstDay], [lastDay, lastBucket])
      : spans([firstBucket, lastBucket]),
    days: inMonths
      ? spans([firstDay, firstMonth], [lastMonth, lastDay])
      : spans(...(inDays ? [[firstDay, lastDay] as const] : [])),
    months: inMonths ? spans([firstMonth, lastMonth]) : [],
  };
}

/** Returns the spans that are not empty. */
const spans = (...ends: (readonly [number, number])[]): Span[] =>
  ends.filter(([fromMs, toMs]) => fromMs < toMs).map(([fromMs, toMs]) => ({ fromMs, toMs }));

const up = (ms: number, unit: number) => Math.ceil(ms / unit) * unit;
const down = (ms: number, unit: number) => Math.floor(ms / unit) * unit;

function monthDown(ms: number): number {
  if (!Number.isFinite(ms)) return ms;
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
}

function monthUp(ms: number): number {
  const start = monthDown(ms);
  if (start === ms) return ms;
  const at = new Date(start);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}
