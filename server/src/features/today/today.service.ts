import type { WaitingKind } from '@hengfu/contract/staff/today';
import type { Database } from '#db/database.ts';
import {
  type ChannelHourRow,
  countWaitingThings,
  listWaiting,
  type MoneyAt,
  readChannelHours,
  readMoney,
  type WaitingThing,
} from './today.sql.ts';

export type { MoneyAt };

/** Reads the things that wait for our staff, and the money of all merchants. */
export class TodayService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the oldest things that wait, and how many there are of each kind, as of one moment. */
  waiting(): Promise<{ items: WaitingThing[]; counts: Map<WaitingKind, number> }> {
    return this.#database.asSystem(
      async (tx) => ({ items: await listWaiting(tx), counts: await countWaitingThings(tx) }),
      { snapshot: true },
    );
  }

  /** Returns the orders that channels decided within the last hours, by channel, kind and hour, oldest first. */
  channels(): Promise<ChannelHourRow[]> {
    return this.#database.asSystem((tx) => readChannelHours(tx));
  }

  /** Returns the money by place as of one moment. In each currency, the balances add up to zero. */
  money(since: Date): Promise<MoneyAt[]> {
    return this.#database.asSystem((tx) => readMoney(tx, since), { snapshot: true });
  }
}
