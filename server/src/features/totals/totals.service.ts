import { permOfList } from '@hengfu/contract/exports';
import type { CountedList } from '@hengfu/contract/totals';
import type { Tx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import { holds, type Person } from '#domain/caller.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import { archivedSource, type Cursor, type ListSource } from '#domain/list-source.sql.ts';
import { readMoment } from '#domain/list-totals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { readRollupTotals } from '#domain/rollup-totals.sql.ts';
import { SerialQueue } from '#threads/serial-queue.ts';
import { readSlice, type Slice } from './totals.sql.ts';

/** The totals of a list at a moment; `sumMinor` is undefined for a list without a sum. */
export interface ListTotals {
  count: number;
  sumMinor: bigint | undefined;
  at: Date;
}

/** The lists that can be counted, with their sources. */
export type CountedSources = Readonly<Record<CountedList, Exportable>>;

/** Rows per statement take about a tenth of a second, after which the count can be canceled; and times between reports. */
const defaultPace = { sliceRows: 50_000, reportEveryMs: 500 };
/** Counts of one merchant that may wait, and counts of all merchants that may run at the same time. */
const limits = { waiting: 6, concurrency: 2 };
const busyRetrySeconds = 2;

/** Counts lists that are too long for the time in which a page has to arrive. */
export class TotalsService {
  readonly #snapshots: Snapshots;
  readonly #lists: CountedSources;
  readonly #pace: typeof defaultPace;
  readonly #queue = new SerialQueue(limits);

  constructor(snapshots: Snapshots, lists: CountedSources, pace: Partial<typeof defaultPace> = {}) {
    this.#snapshots = snapshots;
    this.#lists = lists;
    this.#pace = { ...defaultPace, ...pace };
  }

  /**
   * Counts all rows that the filters match, and adds up their amounts, as of one moment. One count of a merchant runs
   * at a time; a canceled one ends after its current slice. A long one reports the rows counted so far. Throws `forbidden`, `validation_failed`, and
   * `too_many_requests` if too many counts of the merchant are waiting.
   */
  async count(
    person: Pick<Person, 'home' | 'perms'>,
    list: CountedList,
    filters: Readonly<Record<string, string>>,
    signal: AbortSignal,
    onProgress: (counted: number) => void = () => {},
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
            return from
              ? this.#add(tx, from, at, { signal, onProgress })
              : { count: 0, sumMinor: undefined, at };
          }),
    );
    if (!totals) throw new Refusal('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
    return totals;
  }

  async #add(
    tx: Tx,
    source: ListSource,
    at: Date,
    { signal, onProgress }: { signal: AbortSignal; onProgress: (counted: number) => void },
  ): Promise<ListTotals> {
    if (source.known) return { ...source.known, at };
    if (source.rollup) return { ...(await readRollupTotals(tx, source, source.rollup)), at };
    let [count, sumMinor] = [0, 0n];
    const { sliceRows, reportEveryMs } = this.#pace;
    let reportedAt = performance.now();
    for await (const slice of slicesOf(tx, source, sliceRows)) {
      count += slice.count;
      sumMinor += slice.sumMinor;
      if ((slice.last || source.archived) && performance.now() - reportedAt >= reportEveryMs) {
        reportedAt = performance.now();
        onProgress(count);
      }
      if (signal.aborted) throw new Canceled();
    }
    return { count, sumMinor: source.sum && sumMinor, at };
  }
}

/** Reads a list in slices: its rows in the tables, then its archived parts. */
async function* slicesOf(tx: Tx, source: ListSource, rows: number): AsyncGenerator<Slice> {
  let position: Cursor | undefined;
  do {
    const slice = await readSlice(tx, source, rows, position);
    yield slice;
    position = slice.last;
  } while (position);
  for (const part of source.archived ?? [])
    if (part.rows !== undefined && !source.sum) yield { count: part.rows, sumMinor: 0n, last: undefined };
    else yield* slicesOf(tx, archivedSource(source, await part.read()), rows);
}

/** The caller has disconnected, so nobody reads the reply. */
export class Canceled extends Refusal {
  constructor() {
    super('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
  }
}
