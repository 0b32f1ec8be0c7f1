import type { Database } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  listUnfinishedPayouts,
  readChannelOrders,
  readChannels,
  readLastProof,
  readTimeline,
  readUnfinishedPayouts,
  readWaits,
  type TimelineEntry,
  type UnfinishedPayout,
} from './watch.sql.ts';

const shownPayouts = 500;

/** How the whole installation stands, as its database knows it. */
export type Standing = Awaited<ReturnType<WatchService['standing']>>;

/** The events of one payout, oldest first. */
export type Timeline = Awaited<ReturnType<WatchService['timeline']>>;

/** What the service's own staff watches. */
export class WatchService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Some milliseconds, however much there is. */
  standing() {
    return this.#database.asSystem(async (tx) => {
      const [waits, payouts, proof, orders, channels] = await Promise.all([
        readWaits(tx),
        readUnfinishedPayouts(tx),
        readLastProof(tx),
        readChannelOrders(tx),
        readChannels(tx),
      ]);
      return { waits, payouts, proof, orders, channels };
    });
  }

  /** Payouts without an end that are older than some minutes, the oldest first, some hundreds at the most. */
  unfinishedPayouts(olderMinutes: number): Promise<UnfinishedPayout[]> {
    return this.#database.asSystem((tx) => listUnfinishedPayouts(tx, olderMinutes, shownPayouts));
  }

  /** Throws `not_found`. */
  async timeline(tradeNo: string): Promise<TimelineEntry[]> {
    const events = await this.#database.asSystem((tx) => readTimeline(tx, tradeNo));
    if (events.length === 0) throw new Refusal('not_found');
    return events;
  }
}
