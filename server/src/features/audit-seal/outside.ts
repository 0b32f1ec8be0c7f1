import { addAbortSignal, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ListedStore } from '#files/file-store.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  type AcceptedLoss,
  isLossKey,
  isRootKey,
  lossKeyOf,
  lossPrefix,
  type OutsideRoot,
  parseLoss,
  parseOutside,
  type Root,
  rootKeyOf,
  rootPrefix,
  SealError,
  textOf,
  toOutside,
} from './root.rules.ts';

const purposes = { root: 'audit root', loss: 'audit loss' };
const deadlineMs = 10_000;

interface OutsideOptions {
  /** The clock that names the days; this process's own by default. */
  now?: () => Date;
  /** How long one read or write may take. */
  deadlineMs?: number;
}

/** The files of a kind that could be read, and the names of those that could not. */
export interface Found<T> {
  found: T[];
  /** A sentence for each file, with its name. */
  faults: string[];
}

/**
 * The place outside the database that keeps the newest root of each day, and the accepted losses. Makes and checks their HMACs, whose
 * key no database holds.
 */
export class Outside {
  readonly #files: ListedStore;
  readonly #secrets: Secrets;
  readonly #now: () => Date;
  readonly #deadlineMs: number;

  constructor(files: ListedStore, secrets: Secrets, options: OutsideOptions = {}) {
    this.#files = files;
    this.#secrets = secrets;
    this.#now = options.now ?? (() => new Date());
    this.#deadlineMs = options.deadlineMs ?? deadlineMs;
  }

  /** Returns the HMAC of a root's hash. */
  macOf(sha256: Buffer): string {
    return this.#secrets.hmac(purposes.root, sha256.toString('hex'));
  }

  /** Whether the HMAC of a root belongs to its hash, under APP_KEY or APP_KEY_PREVIOUS. Does not compute the hash again. */
  isOurs({ sha256, mac }: Pick<Root, 'sha256' | 'mac'>): boolean {
    return this.#secrets.isHmacOf(mac, purposes.root, sha256.toString('hex'));
  }

  /**
   * Keeps a root as the newest one of today, unless a later one is there. The file has the name of this process's day, and never
   * an earlier one than the newest file. Nothing in the database decides which file is replaced.
   */
  async keep(root: Root): Promise<void> {
    const newestKey = await this.#newestKey();
    const newest = newestKey === undefined ? undefined : await this.#readNewest(newestKey);
    if (newest?.number === root.number && newest.sha256 !== root.sha256.toString('hex'))
      throw new SealError(`Root ${root.number} of the audit trail differs from its copy outside.`);
    if (newest && newest.number >= root.number) return;
    const today = rootKeyOf(this.#now());
    await this.#put(newestKey !== undefined && newestKey > today ? newestKey : today, toOutside(root));
  }

  /** Reads the newest root; undefined if the place is empty. Throws {@link SealError} if its file is not one of a root. */
  async newest(): Promise<OutsideRoot | undefined> {
    const key = await this.#newestKey();
    return key === undefined ? undefined : this.#readNewest(key);
  }

  /** Reads the newest root of every day, in the order of their numbers. */
  async all(): Promise<Found<OutsideRoot>> {
    const { found, faults } = await this.#readAll(rootPrefix, isRootKey, parseOutside);
    return { found: found.toSorted((one, other) => (one.number < other.number ? -1 : 1)), faults };
  }

  /** Records that an operator accepts a loss. */
  async accept(loss: AcceptedLoss): Promise<void> {
    const content = { ...loss, mac: this.#secrets.hmac(purposes.loss, textOf(loss)) };
    await this.#put(lossKeyOf(loss), `${JSON.stringify(content)}\n`);
  }

  /** Reads the accepted losses. A file with a wrong HMAC counts as a fault, and not as a loss. */
  async losses(): Promise<Found<AcceptedLoss>> {
    return this.#readAll(lossPrefix, isLossKey, (content) => {
      const { loss, mac } = parseLoss(content);
      if (!this.#secrets.isHmacOf(mac, purposes.loss, textOf(loss)))
        throw new Error('it was altered, or made with another APP_KEY');
      return loss;
    });
  }

  /** Renews the HMACs of the accepted losses after APP_KEY has changed. Returns their number, and the files with wrong HMACs. */
  async renewLosses(): Promise<{ renewed: number; faults: string[] }> {
    const { found, faults } = await this.losses();
    for (const loss of found) await this.accept(loss);
    return { renewed: found.length, faults };
  }

  async #newestKey(): Promise<string | undefined> {
    return (await this.#list(rootPrefix)).filter(isRootKey).toSorted().at(-1);
  }

  async #readNewest(key: string): Promise<OutsideRoot> {
    const content = await this.#read(key);
    try {
      return parseOutside(content);
    } catch (error) {
      throw new SealError(`${key}, the newest root outside the database, cannot be read.`, { cause: error });
    }
  }

  async #readAll<T>(
    prefix: string,
    isKey: (key: string) => boolean,
    parse: (content: string) => T,
  ): Promise<Found<T>> {
    const found: T[] = [];
    const faults: string[] = [];
    try {
      for (const key of (await this.#list(prefix)).filter(isKey).toSorted())
        try {
          found.push(parse(await this.#read(key)));
        } catch (error) {
          faults.push(`${key} outside the database cannot be read: ${(error as Error).message}`);
        }
    } catch (error) {
      faults.push(`the place outside the database cannot be read: ${(error as Error).message}`);
    }
    return { found, faults };
  }

  #list(prefix: string): Promise<string[]> {
    return this.#inTime('list its files', () => this.#files.list(prefix));
  }

  #read(key: string): Promise<string> {
    return this.#inTime(`return ${key}`, async (signal) => {
      const file = await this.#files.get(key);
      if (!file) throw new Error(`${key} has vanished from the place outside the database`);
      return text(addAbortSignal(signal, file.content));
    });
  }

  async #put(key: string, content: string): Promise<void> {
    await this.#inTime(`accept ${key}`, (signal) =>
      this.#files.put(key, addAbortSignal(signal, Readable.from([content]))),
    );
  }

  /** Gives up on a place that hangs: the worker has other jobs. */
  async #inTime<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const seconds = this.#deadlineMs / 1000;
      late.reject(new Error(`the place outside the database did not ${what} within ${seconds} s`));
      controller.abort();
    }, this.#deadlineMs);
    try {
      return await Promise.race([work(controller.signal), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
