import type { Database } from '#db/database.ts';
import { type Block, parseBlock } from '#security/addresses.ts';
import type { Secrets } from '#security/secrets.ts';
import { type FoundKey, findAccessKey } from './access-key.sql.ts';

/** An access key with its secret decrypted and its address blocks parsed. */
export interface DecryptedKey extends FoundKey {
  secret: string;
  /** Blocks that calls of the merchant may come from; an empty list rejects all calls. */
  allowedBlocks: readonly Block[];
  /** Blocks that calls with this key may come from, besides; null if it has none of its own. */
  ownBlocks: readonly Block[] | null;
}

const maxCached = 10_000;

/**
 * Caches access keys. The database still confirms with each admitted call that its key is unchanged; the
 * cache only saves reading the key again.
 */
export class AccessKeys {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #cache = new Map<string, DecryptedKey>();

  constructor(database: Database, secrets: Secrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** Returns an active key as it was last read, if it ever was. */
  cached(keyId: string): DecryptedKey | undefined {
    return this.#cache.get(keyId);
  }

  /** Reads a key, and caches it if it is active; returns undefined if it does not exist. */
  async read(keyId: string): Promise<DecryptedKey | undefined> {
    const found = await this.#database.asSystem((tx) => findAccessKey(tx, keyId), {
      relaxed: true,
      oneStatement: true,
    });
    this.#cache.delete(keyId);
    if (!found) return undefined;
    const key = {
      ...found,
      secret: this.#secrets.decrypt(found.secretEncrypted),
      allowedBlocks: blocksOf(found.allowedAddresses),
      ownBlocks: found.ownAddresses && blocksOf(found.ownAddresses),
    };
    if (key.standing !== 'active') return key;
    const [oldest] = this.#cache.keys();
    if (oldest !== undefined && this.#cache.size >= maxCached) this.#cache.delete(oldest);
    this.#cache.set(keyId, key);
    return key;
  }
}

function blocksOf(texts: readonly string[]): Block[] {
  return texts.flatMap((text) => parseBlock(text) ?? []);
}
