import type { Database } from '#db/database.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { closeDays, findMerchantsToClose } from './closed-days.sql.ts';

const task = 'reports.closeDays';
/** A day that is not closed yet is told by its buckets: nobody waits for this. */
export const closingRecurring: readonly Recurring[] = [{ task, everySeconds: 3600 }];

/** Keeps running sums of the days that have passed, so that a long report reads a row a day. */
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
