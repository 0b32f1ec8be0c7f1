import type { Database } from '#db/database.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { closeDays, findMerchants, findMerchantsToClose, foldRollup } from './closed-days.sql.ts';

const task = 'reports.closeDays';
/** Not urgent: until a day is closed, reports read its buckets. */
export const closingRecurring: readonly Recurring[] = [{ task, everySeconds: 3600 }];

/** Keeps what reports and totals read small: sums of completed days, and one stripe for buckets that are complete. */
export class ClosedDays {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => {
      const merchants = await this.#database.asSystem(findMerchantsToClose);
      for (const merchantId of merchants) await this.#database.asSystem((tx) => closeDays(tx, merchantId));
      for (const merchantId of await this.#database.asSystem(findMerchants))
        await this.#database.asSystem((tx) => foldRollup(tx, merchantId));
    },
  };
}
