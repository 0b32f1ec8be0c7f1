import type { Database } from '#db/database.ts';
import { type Block, parseBlock } from '#security/addresses.ts';
import type { Secrets } from '#security/secrets.ts';
import { type FoundKey, findAccessKey } from './access-key.sql.ts';

/** An access key, decrypted and parsed. */
export interface OpenKey extends FoundKey {
  secret: string;
  /** Blocks that calls may come from; empty refuses all. */
  allowedBlocks: readonly Block[];
}

const mostKept = 10_000;

/**
 * Access keys as they were last read. Which of them still hold is the database's to say, with each call that they
 * admit: what is kept here only spares reading them again.
 */
export class AccessKeys {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #kept = new Map<string, OpenKey>();

  constructor(database: Database, secrets: Secrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** A key as it was last read, if it ever was. */
  recall(keyId: string): OpenKey | undefined {
    return this.#kept.get(keyId);
  }

  /** A key as it is now; undefined where there is none, or a revoked one. */
  async read(keyId: string): Promise<OpenKey | undefined> {
    const found = await this.#database.asSystem((tx) => findAccessKey(tx, keyId), {
      relaxed: true,
      oneStatement: true,
    });
    this.#kept.delete(keyId);
    if (!found) return undefined;
    const allowedBlocks = found.allowedAddresses.flatMap((text) => parseBlock(text) ?? []);
    const key = { ...found, secret: this.#secrets.decrypt(found.secretEncrypted), allowedBlocks };
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= mostKept) this.#kept.delete(oldest);
    this.#kept.set(keyId, key);
    return key;
  }
}
