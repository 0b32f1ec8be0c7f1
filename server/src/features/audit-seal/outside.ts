import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ListedStore } from '#files/file-store.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  type AcceptedLoss,
  lossKeyOf,
  lossPrefix,
  type OutsideRoot,
  parseOutside,
  type Root,
  rootKeyOf,
  rootPrefix,
  textOf,
  toOutside,
} from './root.rules.ts';

const purposes = { root: 'audit root', loss: 'audit loss' };

/** The place outside the database where the newest root of each day is kept, and the key that no database holds. */
export class Outside {
  readonly #files: ListedStore;
  readonly #secrets: Secrets;

  constructor(files: ListedStore, secrets: Secrets) {
    this.#files = files;
    this.#secrets = secrets;
  }

  /** Returns the HMAC of a root's hash. */
  macOf(sha256: Buffer): string {
    return this.#secrets.hmac(purposes.root, sha256.toString('hex'));
  }

  /** Whether a root was made with APP_KEY, or with the key before it. */
  isOurs({ sha256, mac }: { sha256: Buffer | string; mac: string }): boolean {
    const hash = typeof sha256 === 'string' ? sha256 : sha256.toString('hex');
    return this.#secrets.isHmacOf(mac, purposes.root, hash);
  }

  /** Keeps a root as the newest one of its day. */
  async keep(root: Root): Promise<void> {
    await this.#files.put(rootKeyOf(root.sealedAt), Readable.from([toOutside(root)]));
  }

  /** Reads the newest root; undefined if the place is empty. `today` saves looking for it. */
  async newest(today: Date): Promise<OutsideRoot | undefined> {
    const ofToday = await this.#read(rootKeyOf(today));
    if (ofToday !== undefined) return parseOutside(ofToday);
    return (await this.all()).at(-1);
  }

  /** Reads the newest root of every day, in the order of their numbers: the database's clock names the days. */
  async all(): Promise<OutsideRoot[]> {
    const roots: OutsideRoot[] = [];
    for (const key of await this.#files.list(rootPrefix)) {
      const content = await this.#read(key);
      if (content !== undefined) roots.push(parseOutside(content));
    }
    return roots.toSorted((one, other) => (one.number < other.number ? -1 : 1));
  }

  /** Records that an operator accepts a loss. */
  async accept(loss: AcceptedLoss): Promise<void> {
    const content = { ...loss, mac: this.#secrets.hmac(purposes.loss, textOf(loss)) };
    await this.#files.put(lossKeyOf(loss), Readable.from([`${JSON.stringify(content)}\n`]));
  }

  /** Reads the accepted losses. Those whose HMAC is wrong are none. */
  async losses(): Promise<AcceptedLoss[]> {
    const losses: AcceptedLoss[] = [];
    for (const key of (await this.#files.list(lossPrefix)).toSorted()) {
      const { mac, ...loss }: AcceptedLoss & { mac: string } = JSON.parse((await this.#read(key)) ?? '{}');
      if (typeof mac === 'string' && this.#secrets.isHmacOf(mac, purposes.loss, textOf(loss)))
        losses.push(loss);
    }
    return losses;
  }

  async #read(key: string): Promise<string | undefined> {
    const file = await this.#files.get(key);
    return file && text(file.content);
  }
}
