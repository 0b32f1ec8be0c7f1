import type { IncidentImpact, PresentState, SampledState } from '@hengfu/contract/status';

/** Six steps per decade, from 1 ms to 19 hours: a percentile read from them is at most a third too high. */
const stepsOfDecade = [1, 1.5, 2, 3, 5, 7];
const decades = 8;
/** Lower bounds of the delay classes (histogram buckets), in ms; class 0 lies below the first bound. */
export const delayScaleMs: readonly number[] = Array.from({ length: decades }, (_, decade) =>
  stepsOfDecade.map((step) => Math.round(step * 10 ** decade * 10) / 10),
).flat();

/** Returns the class of a delay: the number of bounds that it has reached. */
export function delayClass(delayMs: number): number {
  return delayScaleMs.filter((lowerMs) => lowerMs <= delayMs).length;
}

/** Counts by delay class. */
export type DelayCounts = ReadonlyMap<number, number>;

/**
 * Returns the delay in ms, to two significant digits, that a share (0–1) of the counts did not exceed;
 * undefined without counts.
 */
export function percentileMs(counts: DelayCounts, share: number): number | undefined {
  const classes = [...counts].sort(([a], [b]) => a - b);
  let left = share * total(counts);
  for (const [at, count] of classes) {
    if (count > 0 && left <= count) return between(at, left / count);
    left -= count;
  }
  return undefined;
}

/** Interpolates a fraction (0–1) of a class to ms; the last class has no upper bound. */
function between(at: number, fraction: number): number {
  const lowerMs = delayScaleMs[at - 1] ?? 0;
  const upperMs = delayScaleMs[at] ?? lowerMs;
  return Number((lowerMs + (upperMs - lowerMs) * fraction).toPrecision(2));
}

export function total(counts: DelayCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Returns a part of a whole as a share (0–1) in `steps` steps, rounded down: 1 means all of it. Undefined if
 * `whole` is 0.
 */
export function shareOf(part: number, whole: number, steps: number): number | undefined {
  return whole === 0 ? undefined : Math.floor((part / whole) * steps) / steps;
}

/**
 * Precision of shares. A channel's share covers the orders of all merchants, so it is shown in whole percent
 * only.
 */
export const callSteps = 10_000;
export const orderSteps = 100;

/** Minimum counts for a judgment. With fewer orders, no figures are shown either. */
const minCalls = 20;
export const minOrders = 20;

/** Thresholds beyond which a component is degraded or down. */
const limits = {
  api: { degraded: { failedShare: 0.01, p95Ms: 2000 }, down: { failedShare: 0.2 } },
  database: { degraded: { answerMs: 250 }, down: { answerMs: 5000 } },
  jobs: { degraded: { waitMs: 30_000 }, down: { waitMs: 300_000 } },
  channel: { degraded: { share: 0.8 }, down: { share: 0.5 } },
} as const;

/** Calls of the last five minutes. `isReporting`: a web process has written its counts recently. */
export interface Calls {
  answered: number;
  failed: number;
  p95Ms: number | undefined;
  isReporting: boolean;
}

/** Judges the API. Too few calls count as operational; if no web process reports, the API is down. */
export function judgeApi({ answered, failed, p95Ms = 0, isReporting }: Calls): SampledState {
  if (!isReporting) return 'down';
  const calls = answered + failed;
  if (calls < minCalls) return 'operational';
  if (failed / calls >= limits.api.down.failedShare) return 'down';
  const { failedShare, p95Ms: slowMs } = limits.api.degraded;
  return failed / calls >= failedShare || p95Ms > slowMs ? 'degraded' : 'operational';
}

/**
 * Judges by the duration of a trivial statement. The process that cannot reach the database records the
 * outage.
 */
export function judgeDatabase(answerMs: number): SampledState {
  if (answerMs > limits.database.down.answerMs) return 'down';
  return answerMs > limits.database.degraded.answerMs ? 'degraded' : 'operational';
}

/** Judges by how long the oldest due job has waited for a worker. */
export function judgeJobs(waitMs: number): SampledState {
  if (waitMs > limits.jobs.down.waitMs) return 'down';
  return waitMs > limits.jobs.degraded.waitMs ? 'degraded' : 'operational';
}

/** Orders of the last hour that a channel paid, refused, or has left unanswered for five minutes. */
export interface ChannelOrders {
  isOpen: boolean;
  paid: number;
  refused: number;
  unanswered: number;
}

export function judgeChannel({ isOpen, paid, refused, unanswered }: ChannelOrders): PresentState {
  if (!isOpen) return 'closed';
  const orders = paid + refused + unanswered;
  if (orders < minOrders) return 'tooFew';
  if (paid / orders < limits.channel.down.share) return 'down';
  return paid / orders < limits.channel.degraded.share ? 'degraded' : 'operational';
}

/** Whether a state goes into the history: without enough evidence, nothing is recorded. */
export function isSampled(state: PresentState): state is SampledState {
  return state !== 'tooFew' && state !== 'closed';
}

/** Returns the worst of the known states. */
export function worst(states: readonly PresentState[]): SampledState {
  if (states.includes('down')) return 'down';
  return states.includes('degraded') ? 'degraded' : 'operational';
}

/** Consecutive samples that open or close an incident. */
export const samplesInARow = 3;

/** The change of a component's incident that its last samples call for. */
export type Verdict = { do: 'open' | 'worsen'; impact: IncidentImpact } | { do: 'close' } | undefined;

/** @param last newest sample first; `open`: impact of the open incident, if there is one */
export function judgeSamples(last: readonly SampledState[], open: IncidentImpact | undefined): Verdict {
  const row = last.slice(0, samplesInARow);
  if (row.length < samplesInARow) return undefined;
  const isBad = row.every((state) => state !== 'operational');
  const impact = row.every((state) => state === 'down') ? 'down' : 'degraded';
  if (open === undefined) return isBad ? { do: 'open', impact } : undefined;
  if (row.every((state) => state === 'operational')) return { do: 'close' };
  return isBad && impact === 'down' && open === 'degraded' ? { do: 'worsen', impact } : undefined;
}
