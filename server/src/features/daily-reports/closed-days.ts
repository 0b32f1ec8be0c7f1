import type { Database } from '#db/database.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { closeDays, findMerchantsToClose } from './closed-days.sql.ts';

const task = 'reports.closeDays';
/** Not urgent: until a day is closed, reports read its buckets. */
export const closingRecurring: readonly Recurring[] = [{ task, everySeconds: 3600 }];

/** Stores running sums of completed days, so that a long report reads one row per day. */
export class ClosedDays {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => {
      const merchants = await this.#database.asSystem(findMerchantsToClose);
      for (const merchantId of merchants) await this.#database.asSystem((tx) => closeDays(tx, merchantId));
    },
  };
}
