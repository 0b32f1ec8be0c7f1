import { Refusal } from '#domain/refusal.ts';
import { SerialQueue } from '#threads/serial-queue.ts';
import type { ArchiveReader } from './archive-reader.ts';
import type { ReadParts } from './entry-parts.sql.ts';
import type { PartPlace } from './part-place.sql.ts';

/** Reads of one merchant that may wait, and reads of all merchants that may run at the same time in a process. */
const limits = { waiting: 6, concurrency: 2 };
const busyRetrySeconds = 2;
/** Work asks for the ends of its range, then for rows; once more if a month is archived in the meantime. */
const maxRounds = 4;

/** Thrown inside a transaction: work needs parts that were not read yet. */
class PartsNeeded extends Error {
  readonly places: readonly PartPlace[];

  constructor(places: readonly PartPlace[]) {
    super('parts of the archive are not at hand');
    this.places = places;
  }
}

const keyOf = ({ fileKey, offset }: PartPlace) => `${fileKey} ${offset}`;

/**
 * Reads archived entries, of the ledger and of the audit trail, for requests. No transaction is open meanwhile, because a bucket may be slow. One read of a merchant
 * runs at a time, and few at all, so that nobody can keep a process busy with them.
 */
export class EntryArchive {
  readonly #reader: Pick<ArchiveReader, 'readParts'>;
  readonly #queue = new SerialQueue(limits);

  constructor(reader: Pick<ArchiveReader, 'readParts'>) {
    this.#reader = reader;
  }

  /**
   * Runs work that reads in a transaction. If it asks for parts that are not at hand, its transaction ends, the parts are read,
   * and work is run again. Throws `too_many_requests` if too many reads of the merchant are waiting.
   */
  async withParts<T>(merchantId: bigint, work: (readParts: ReadParts) => Promise<T>): Promise<T> {
    const atHand = new Map<string, readonly string[]>();
    const take: ReadParts = async (places) => {
      const missing = places.filter((place) => !atHand.has(keyOf(place)));
      if (missing.length > 0) throw new PartsNeeded(missing);
      return places.map((place) => atHand.get(keyOf(place)) ?? []);
    };
    for (let round = 1; ; round++) {
      try {
        return await work(take);
      } catch (error) {
        if (!(error instanceof PartsNeeded) || round === maxRounds) throw error;
        const read = await this.#queue.run(String(merchantId), () => this.#reader.readParts(error.places));
        if (!read) throw new Refusal('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
        for (const [index, place] of error.places.entries()) atHand.set(keyOf(place), read[index] ?? []);
      }
    }
  }
}
