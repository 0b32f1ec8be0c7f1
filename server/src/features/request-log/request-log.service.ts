import type { RequestLogQuery } from '@hengfu/contract/request-log';
import type { Database } from '#db/database.ts';
import type { Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import type { NoteDamage } from './request-blocks.reading.ts';
import { findAnyRequest, listRequests } from './request-log.reading.ts';
import {
  type CallDetail,
  type CallRow,
  countUnrecorded,
  deleteOldRequestCounts,
  dropOldDays,
  makeDaysAhead,
} from './request-log.sql.ts';

const daysTask = 'requests.days';
export const requestLogRecurring: readonly Recurring[] = [{ task: daysTask, everySeconds: 3600 }];

/** Reads a merchant's signed calls, and keeps the days of the log. `http/request-log` writes it. */
export class RequestLogService {
  readonly #database: Database;
  readonly #noteDamage: NoteDamage;

  constructor(database: Database, noteDamage: NoteDamage) {
    this.#database = database;
    this.#noteDamage = noteDamage;
  }

  readonly tasks: Record<string, Task> = {
    [daysTask]: async () => {
      await this.#database.asSystem(makeDaysAhead);
      await this.#database.asSystem(dropOldDays);
      await this.#database.asSystem(deleteOldRequestCounts);
    },
  };

  /** Returns a page of signed calls, and the number of those that were counted only. */
  list(merchantId: bigint, query: RequestLogQuery): Promise<{ page: Page<CallRow>; unrecorded: number }> {
    return this.#database.asMerchant(
      merchantId,
      async (tx) => {
        const page = await listRequests(tx, query, this.#noteDamage);
        return { page, unrecorded: await countUnrecorded(tx, query) };
      },
      { snapshot: true },
    );
  }

  /** Returns one signed call. Throws `not_found`. */
  async find(merchantId: bigint, requestId: string): Promise<CallDetail> {
    const found = await this.#database.asMerchant(merchantId, (tx) =>
      findAnyRequest(tx, requestId, this.#noteDamage),
    );
    if (!found) throw new Refusal('not_found');
    return found;
  }
}
