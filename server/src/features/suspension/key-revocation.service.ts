import type { Database, Tx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { findKeyOwner, holdKeys, listAllKeys, revokeKeys, type StaffKey } from './key-revocation.sql.ts';

/** The revoked keys, and how many of the merchant's keys are left to sign its callbacks. */
export interface Revoked {
  keyIds: string[];
  left: number;
}

/**
 * Revokes access keys on behalf of staff. Takes effect at once: every process checks a key against the
 * database on each call.
 */
export class KeyRevocationService {
  readonly #database: Database;
  readonly #actor: string;

  constructor(database: Database, actor: string) {
    this.#database = database;
    this.#actor = actor;
  }

  list(merchantId: bigint): Promise<StaffKey[]> {
    return this.#database.asSystem((tx) => listAllKeys(tx, merchantId));
  }

  /** Revokes one key. Throws `not_found`. */
  revokeKey(keyId: string, reason: string): Promise<Revoked> {
    return this.#database.asSystem(async (tx) => {
      const merchantId = await findKeyOwner(tx, keyId);
      if (merchantId === undefined) throw new Refusal('not_found');
      return this.#revoke(tx, merchantId, keyId, reason);
    });
  }

  /** Revokes every key of a merchant. */
  revokeAll(merchantId: bigint, reason: string): Promise<Revoked> {
    return this.#database.asSystem((tx) => this.#revoke(tx, merchantId, undefined, reason));
  }

  async #revoke(tx: Tx, merchantId: bigint, keyId: string | undefined, reason: string): Promise<Revoked> {
    await holdKeys(tx, merchantId);
    const keyIds = await revokeKeys(tx, merchantId, keyId);
    for (const subject of keyIds) {
      const action = 'access_key.revoke';
      await writeAudit(tx, { merchantId, actor: this.#actor, action, subject, after: { reason } });
      await writeNotice(tx, { merchantId, kind: 'accessKeyRevoked', subject, facts: {} });
    }
    const keys = await listAllKeys(tx, merchantId);
    return { keyIds, left: keys.filter(({ state }) => state === 'active' || state === 'turned off').length };
  }
}
