import { findParts } from '#archive/archive.sql.ts';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import { toEvent } from '#archive/history.ts';
import type { Database } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  countCommandsAlone,
  countContradictedPayouts,
  findTimelineOrder,
  listUnfinishedPayouts,
  readChannelOrders,
  readChannels,
  readFailingSeconds,
  readLastProof,
  readMonthsReady,
  readTimeline,
  readUnfinishedPayouts,
  readUnsealedSeconds,
  readWaits,
  readWalState,
  type TimelineEntry,
  type UnfinishedPayout,
} from './watch.sql.ts';

const maxPayouts = 500;

/** The state of the whole installation, according to its database. */
export type InstallationState = Awaited<ReturnType<WatchService['state']>>;

/** The events of one payout, oldest first. */
export type Timeline = Awaited<ReturnType<WatchService['timeline']>>;

/** Reads what the service's staff monitors. */
export class WatchService {
  readonly #database: Database;
  readonly #archive: ArchiveReader;

  constructor(database: Database, archive: ArchiveReader) {
    this.#database = database;
    this.#archive = archive;
  }

  /** Reads the state of the installation. Takes a few milliseconds, however much data there is. */
  state() {
    return this.#database.asSystem(async (tx) => {
      const [
        waits,
        failingSeconds,
        payouts,
        proof,
        orders,
        channels,
        monthsReady,
        wal,
        unsealedSeconds,
        commandsAlone,
        contradicted,
      ] = await Promise.all([
        readWaits(tx),
        readFailingSeconds(tx),
        readUnfinishedPayouts(tx),
        readLastProof(tx),
        readChannelOrders(tx),
        readChannels(tx),
        readMonthsReady(tx),
        readWalState(tx),
        readUnsealedSeconds(tx),
        countCommandsAlone(tx),
        countContradictedPayouts(tx),
      ]);
      return {
        waits,
        failingSeconds,
        payouts,
        proof,
        orders,
        channels,
        monthsReady,
        wal,
        unsealedSeconds,
        commandsAlone,
        contradicted,
      };
    });
  }

  /** Lists unfinished payouts older than some minutes, oldest first, up to 500. */
  unfinishedPayouts(olderMinutes: number): Promise<UnfinishedPayout[]> {
    return this.#database.asSystem((tx) => listUnfinishedPayouts(tx, olderMinutes, maxPayouts));
  }

  /** Returns the events of a payout, oldest first. Throws `not_found`. */
  async timeline(tradeNo: string): Promise<TimelineEntry[]> {
    const found = await this.#database.asSystem(async (tx) => {
      const order = await findTimelineOrder(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      const events = await readTimeline(tx, order);
      const { id: subject, merchantId, createdAt } = order;
      const since = historyStart(createdAt);
      return { events, old: await findParts(tx, { merchantId, table: 'payout_event', subject, since }) };
    });
    return [...(await this.#archive.read(found.old)).map(toEvent<TimelineEntry>), ...found.events];
  }
}
