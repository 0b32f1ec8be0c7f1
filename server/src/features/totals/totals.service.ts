import { permOfList } from '@hengfu/contract/exports';
import type { CountedList } from '@hengfu/contract/totals';
import type { Snapshots } from '#db/snapshots.ts';
import { holds, type Person } from '#domain/caller.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import type { Cursor, ListSource } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { SerialQueue } from '#threads/serial-queue.ts';
import { readMoment, readSlice } from './totals.sql.ts';

/** The totals of a list at a moment; `sumMinor` is undefined for a list without a sum. */
export interface ListTotals {
  count: number;
  sumMinor: bigint | undefined;
  at: Date;
}

/** The lists that can be counted, with their sources. */
export type CountedSources = Readonly<Record<CountedList, Exportable>>;

/** Rows per statement: about a tenth of a second, after which the count can be canceled. */
const defaultSliceRows = 50_000;
/** Counts of one merchant that may wait, and counts of all merchants that may run at the same time. */
const limits = { waiting: 6, concurrency: 2 };
const busyRetrySeconds = 2;

/** Counts lists that are too long for the time in which a page has to arrive. */
export class TotalsService {
  readonly #snapshots: Snapshots;
  readonly #lists: CountedSources;
  readonly #sliceRows: number;
  readonly #queue = new SerialQueue(limits);

  constructor(snapshots: Snapshots, lists: CountedSources, sliceRows = defaultSliceRows) {
    this.#snapshots = snapshots;
    this.#lists = lists;
    this.#sliceRows = sliceRows;
  }

  /**
   * Counts all rows that the filters match, and adds up their amounts, as of one moment. One count of a merchant runs
   * at a time; a canceled one ends after its current slice. Throws `forbidden`, `validation_failed`, and
   * `too_many_requests` if too many counts of the merchant are waiting.
   */
  async count(
    person: Pick<Person, 'home' | 'perms'>,
    list: CountedList,
    filters: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ListTotals> {
    if (!holds(person, permOfList[list])) throw new Refusal('forbidden');
    const { check, source } = this.#lists[list];
    check(filters);
    const { home } = person;
    const totals = await this.#queue.run(String(home.merchantId), () =>
      signal.aborted
        ? Promise.reject(new Canceled())
        : this.#snapshots.ofMerchant(home.merchantId, async (tx) => {
            const from = await source?.(tx, home, filters);
            const at = await readMoment(tx);
            return from ? this.#add(tx, from, at, signal) : { count: 0, sumMinor: undefined, at };
          }),
    );
    if (!totals) throw new Refusal('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
    return totals;
  }

  async #add(
    tx: Parameters<typeof readSlice>[0],
    source: ListSource,
    at: Date,
    signal: AbortSignal,
  ): Promise<ListTotals> {
    let [count, sumMinor] = [0, 0n];
    let position: Cursor | undefined;
    do {
      if (signal.aborted) throw new Canceled();
      const slice = await readSlice(tx, source, this.#sliceRows, position);
      count += slice.count;
      sumMinor += slice.sumMinor;
      position = slice.last;
    } while (position);
    return { count, sumMinor: source.sum && sumMinor, at };
  }
}

/** The caller has disconnected, so nobody reads the reply. */
export class Canceled extends Refusal {
  constructor() {
    super('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
  }
}
