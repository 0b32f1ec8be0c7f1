import { type ChannelComponent, type ComponentStatus, channelComponents } from '@hengfu/contract/status';
import type { Database, Tx } from '#db/database.ts';
import {
  callSteps,
  judgeApi,
  judgeChannel,
  judgeDatabase,
  judgeJobs,
  minOrders,
  orderSteps,
  percentileMs,
  shareOf,
  total,
} from './status.rules.ts';
import {
  type CallSum,
  countUnanswered,
  type OrderSum,
  ping,
  readJobDelays,
  readOpenChannels,
  sumCalls,
  sumChannelOrders,
} from './status-signals.sql.ts';

/** The measured state and figures of one component. */
export type Measured = Pick<ComponentStatus, 'component' | 'state' | 'figures'>;

/** Takes the median of several tries, because a single slow one may be a pause of the process. */
const tries = 3;

/** Measures the database's response time in milliseconds, as the server sees it. */
export async function measureAnswerMs(database: Database): Promise<number> {
  const taken: number[] = [];
  for (let attempt = 0; attempt < tries; attempt++) {
    const begun = performance.now();
    await database.asSystem(ping, { oneStatement: true });
    taken.push(performance.now() - begun);
  }
  return Math.ceil(taken.sort((a, b) => a - b)[(tries - 1) / 2] ?? 0);
}

/** Measures every component from the collected counts and the current state of the database. */
export async function measure(tx: Tx, answerMs: number): Promise<Measured[]> {
  const { sums, isReporting } = await sumCalls(tx);
  const { jobSeconds, callbackSeconds } = await readJobDelays(tx);
  const waitMs = Math.round(jobSeconds * 1000);
  const orders = Map.groupBy(await sumChannelOrders(tx), ({ component }) => component);
  const unanswered = await countUnanswered(tx);
  const isOpen = await readOpenChannels(tx);
  return [
    api(sums, isReporting),
    { component: 'database', state: judgeDatabase(answerMs), figures: { answerMs } },
    {
      component: 'jobs',
      state: judgeJobs(waitMs),
      figures: { waitMs, callbackWaitMs: Math.round(callbackSeconds * 1000) },
    },
    ...channelComponents
      .filter((component) => isOpen.has(component))
      .map((component) =>
        channel(component, {
          sums: orders.get(component) ?? [],
          unanswered: unanswered.get(component) ?? 0,
          isOpen: isOpen.get(component) === true,
        }),
      ),
  ];
}

/** Judges the API by the last five minutes; its figures cover the last hour. */
function api(sums: readonly CallSum[], isReporting: boolean): Measured {
  const answered = sums.reduce((sum, row) => sum + row.answered, 0);
  const failed = sums.reduce((sum, row) => sum + row.failed, 0);
  const hour = new Map(sums.map((row) => [row.delayClass, row.answered + row.failed]));
  const recent = new Map(sums.map((row) => [row.delayClass, row.answeredLately + row.failedLately]));
  const state = judgeApi({
    answered: sums.reduce((sum, row) => sum + row.answeredLately, 0),
    failed: sums.reduce((sum, row) => sum + row.failedLately, 0),
    p95Ms: percentileMs(recent, 0.95),
    isReporting,
  });
  const share = shareOf(answered, answered + failed, callSteps);
  const p95Ms = percentileMs(hour, 0.95);
  return {
    component: 'api',
    state,
    figures: { ...(share !== undefined && { share }), ...(p95Ms !== undefined && { p95Ms }) },
  };
}

/**
 * Judges a channel. Below the minimum of orders it has no figures, which might reveal a single merchant's.
 */
function channel(
  component: ChannelComponent,
  given: { sums: readonly OrderSum[]; unanswered: number; isOpen: boolean },
): Measured {
  const paidCounts = new Map(
    given.sums.filter(({ isPaid }) => isPaid).map((row) => [row.delayClass, row.orders]),
  );
  const paid = total(paidCounts);
  const refused = given.sums.reduce((sum, row) => sum + (row.isPaid ? 0 : row.orders), 0);
  const { unanswered, isOpen } = given;
  const state = judgeChannel({ isOpen, paid, refused, unanswered });
  if (state === 'tooFew' || paid + refused + unanswered < minOrders) return { component, state, figures: {} };
  const share = shareOf(paid, paid + refused + unanswered, orderSteps);
  const medianMs = percentileMs(paidCounts, 0.5);
  const p95Ms = percentileMs(paidCounts, 0.95);
  const hasDelays = paid >= minOrders && medianMs !== undefined && p95Ms !== undefined;
  return {
    component,
    state,
    figures: { ...(share !== undefined && { share }), ...(hasDelays && { medianMs, p95Ms }) },
  };
}
