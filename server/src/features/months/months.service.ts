import type { Archiver } from '#archive/archiver.ts';
import type { Database } from '#db/database.ts';
import { monthsAhead } from '#db/months.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { makeMonth } from './months.sql.ts';

const makeTask = 'months.make';
const archiveTask = 'months.archive';
/** Months ahead leave weeks to notice that this fails. */
export const monthsRecurring: readonly Recurring[] = [
  { task: makeTask, everySeconds: 3600 },
  { task: archiveTask, everySeconds: 86_400 },
];

interface MonthsOptions {
  database: Database;
  archiver: Archiver;
  archiveAfterMonths: number | undefined;
}

/** Makes the partitions of the next months, and archives closed ones. */
export class MonthsService {
  readonly #options: MonthsOptions;

  constructor(options: MonthsOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [makeTask]: () => this.make(),
    [archiveTask]: async () => {
      const { archiver, archiveAfterMonths } = this.#options;
      if (archiveAfterMonths !== undefined) await archiver.archiveClosed(archiveAfterMonths);
    },
  };

  /** Makes what is missing, a month per transaction, so that locks are held briefly. */
  async make(): Promise<void> {
    for (let ahead = 0; ahead <= monthsAhead; ahead++)
      await this.#options.database.asSystem((tx) => makeMonth(tx, ahead));
  }
}
