import type { Database } from '#db/database.ts';
import { monthsAhead } from '#db/months.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { makeMonth } from './months.sql.ts';

const task = 'months.make';
/** Months ahead leave weeks to notice that this fails. */
export const monthsRecurring: readonly Recurring[] = [{ task, everySeconds: 3600 }];

/** Makes the partitions of the next months. */
export class MonthsService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [task]: () => this.make(),
  };

  /** Makes what is missing, a month per transaction, so that locks are held briefly. */
  async make(): Promise<void> {
    for (let ahead = 0; ahead <= monthsAhead; ahead++)
      await this.#database.asSystem((tx) => makeMonth(tx, ahead));
  }
}
