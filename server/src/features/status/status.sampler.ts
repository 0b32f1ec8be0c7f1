import type { Database, Tx } from '#db/database.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { isSampled, judgeSamples } from './status.rules.ts';
import { measure, measureAnswerMs } from './status.signals.ts';
import {
  addOutage,
  addSamples,
  isSampleOverdue,
  lockHistory,
  prune,
  readLastSamples,
} from './status-history.sql.ts';
import {
  closeBySamples,
  closeUnwatched,
  openBySamples,
  readOpenBySamples,
  worsenBySamples,
} from './status-incidents.sql.ts';
import { countChannelOrders } from './status-signals.sql.ts';

const task = 'status.sample';
export const statusRecurring: readonly Recurring[] = [{ task, everySeconds: 60 }];

/** Samples the state of the service every minute, and opens and closes incidents accordingly. */
export class StatusSampler {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = { [task]: () => this.sample() };

  /** Takes this minute's sample; keeps one that was already taken. */
  async sample(): Promise<void> {
    const answerMs = await measureAnswerMs(this.#database);
    await this.#database.asSystem(async (tx) => {
      await lockHistory(tx);
      await countChannelOrders(tx);
      const measured = await measure(tx, answerMs);
      await addSamples(
        tx,
        measured.flatMap(({ component, state }) => (isSampled(state) ? [{ component, state }] : [])),
      );
      await judge(tx);
      await prune(tx);
    });
  }

  /** Takes a sample if there was none for some minutes: the workers may be down. */
  async sampleIfOverdue(): Promise<void> {
    if (await this.#database.asSystem(isSampleOverdue)) await this.sample();
  }

  /** Records that the database was unreachable until now. */
  async recordOutage(secondsAgo: number): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      await lockHistory(tx);
      await addOutage(tx, secondsAgo);
      await judge(tx);
    });
  }
}

/** Opens, worsens and closes incidents based on the last samples. */
async function judge(tx: Tx): Promise<void> {
  const open = await readOpenBySamples(tx);
  for (const [component, states] of await readLastSamples(tx)) {
    const verdict = judgeSamples(states, open.get(component));
    if (verdict?.do === 'open') await openBySamples(tx, component, verdict.impact);
    else if (verdict?.do === 'worsen') await worsenBySamples(tx, component, verdict.impact);
    else if (verdict?.do === 'close') await closeBySamples(tx, component);
  }
  await closeUnwatched(tx);
}
