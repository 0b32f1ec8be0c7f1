import type { IncidentImpact, PresentState, SampledState } from '@hengfu/contract/status';

/** Six steps a decade from 1 ms to 19 hours: a percentile read off it is at most a third too long. */
const stepsOfDecade = [1, 1.5, 2, 3, 5, 7];
const decades = 8;
/** Lower ends of the classes that delays are counted in, in ms; class 0 lies below the first. */
export const delayScaleMs: readonly number[] = Array.from({ length: decades }, (_, decade) =>
  stepsOfDecade.map((step) => Math.round(step * 10 ** decade * 10) / 10),
).flat();

/** The class of a delay: how many ends of the scale it has reached. */
export function delayClass(delayMs: number): number {
  return delayScaleMs.filter((lowerMs) => lowerMs <= delayMs).length;
}

/** Counts by class of delay. */
export type DelayCounts = ReadonlyMap<number, number>;

/** The delay in ms, in two figures, that a share of 0–1 did not exceed; undefined where nothing was counted. */
export function percentileMs(counts: DelayCounts, share: number): number | undefined {
  const classes = [...counts].sort(([a], [b]) => a - b);
  let left = share * total(counts);
  for (const [at, count] of classes) {
    if (count > 0 && left <= count) return between(at, left / count);
    left -= count;
  }
  return undefined;
}

/** A place inside of a class, 0–1, in ms; the last class has no upper end. */
function between(at: number, place: number): number {
  const lowerMs = delayScaleMs[at - 1] ?? 0;
  const upperMs = delayScaleMs[at] ?? lowerMs;
  return Number((lowerMs + (upperMs - lowerMs) * place).toPrecision(2));
}

export function total(counts: DelayCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Part of a whole as a share of 0–1, rounded down: 1 means all of it. Undefined of nothing. */
export function shareOf(part: number, whole: number, steps: number): number | undefined {
  return whole === 0 ? undefined : Math.floor((part / whole) * steps) / steps;
}

/** Steps of shares: a channel's stand for orders of all merchants, and are told in whole percents. */
export const callSteps = 10_000;
export const orderSteps = 100;

/** Fewer than these say too little to be judged; fewer orders say nothing to anybody. */
const fewestCalls = 20;
export const fewestOrders = 20;

/** Where a component is no longer well, and where it is of no use. */
const limits = {
  api: { degraded: { failedShare: 0.01, p95Ms: 2000 }, down: { failedShare: 0.2 } },
  database: { degraded: { answerMs: 250 }, down: { answerMs: 5000 } },
  jobs: { degraded: { waitMs: 30_000 }, down: { waitMs: 300_000 } },
  channel: { degraded: { share: 0.8 }, down: { share: 0.5 } },
} as const;

/** Calls of the last five minutes. `isReporting`: a web process has written its counts just now. */
export interface Calls {
  answered: number;
  failed: number;
  p95Ms: number | undefined;
  isReporting: boolean;
}

/** A few calls say little; that nobody answers them any more says all. */
export function judgeApi({ answered, failed, p95Ms = 0, isReporting }: Calls): SampledState {
  if (!isReporting) return 'down';
  const calls = answered + failed;
  if (calls < fewestCalls) return 'operational';
  if (failed / calls >= limits.api.down.failedShare) return 'down';
  const { failedShare, p95Ms: slowMs } = limits.api.degraded;
  return failed / calls >= failedShare || p95Ms > slowMs ? 'degraded' : 'operational';
}

/** By the time of a trivial statement; one that is away is noted by whoever could not reach it. */
export function judgeDatabase(answerMs: number): SampledState {
  if (answerMs > limits.database.down.answerMs) return 'down';
  return answerMs > limits.database.degraded.answerMs ? 'degraded' : 'operational';
}

/** By how long the oldest due job has waited for a worker. */
export function judgeJobs(waitMs: number): SampledState {
  if (waitMs > limits.jobs.down.waitMs) return 'down';
  return waitMs > limits.jobs.degraded.waitMs ? 'degraded' : 'operational';
}

/** Orders of the last hour that a channel paid, refused, or has left without an answer for five minutes. */
export interface ChannelOrders {
  isOpen: boolean;
  paid: number;
  refused: number;
  unanswered: number;
}

export function judgeChannel({ isOpen, paid, refused, unanswered }: ChannelOrders): PresentState {
  if (!isOpen) return 'closed';
  const orders = paid + refused + unanswered;
  if (orders < fewestOrders) return 'tooFew';
  if (paid / orders < limits.channel.down.share) return 'down';
  return paid / orders < limits.channel.degraded.share ? 'degraded' : 'operational';
}

/** Whether a state is evidence: nothing is written into the history without. */
export function isSampled(state: PresentState): state is SampledState {
  return state !== 'tooFew' && state !== 'closed';
}

/** The worst of what is known. */
export function worst(states: readonly PresentState[]): SampledState {
  if (states.includes('down')) return 'down';
  return states.includes('degraded') ? 'degraded' : 'operational';
}

/** Samples in a row that open and close an incident. */
export const samplesInARow = 3;

/** What follows from the last samples of a component and the incident that is open. */
export type Verdict = { do: 'open' | 'worsen'; impact: IncidentImpact } | { do: 'close' } | undefined;

/** @param last the newest sample first; `open`: how bad the open incident is said to be, where there is one */
export function judgeSamples(last: readonly SampledState[], open: IncidentImpact | undefined): Verdict {
  const row = last.slice(0, samplesInARow);
  if (row.length < samplesInARow) return undefined;
  const isBad = row.every((state) => state !== 'operational');
  const impact = row.every((state) => state === 'down') ? 'down' : 'degraded';
  if (open === undefined) return isBad ? { do: 'open', impact } : undefined;
  if (row.every((state) => state === 'operational')) return { do: 'close' };
  return isBad && impact === 'down' && open === 'degraded' ? { do: 'worsen', impact } : undefined;
}
