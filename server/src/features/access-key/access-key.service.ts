import { isDeepStrictEqual } from 'node:util';
import type { AccessKey } from '@hengfu/contract/access-key';
import type { Database } from '#db/database.ts';
import { askForAccess } from '#domain/access-approval.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { lockStanding } from '#domain/standing.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  findLastKey,
  type KeyRow,
  listKeys,
  lockKeys,
  noteReader,
  revokeOlder,
  updateKey,
} from './access-key.sql.ts';
import { freshKey, replaceKey, type ShownKey } from './new-key.ts';

export interface KeyChange {
  note?: string | undefined;
  callbackUrl?: string | undefined;
  isEnabled: boolean;
}

/** Checks the code of a person who has a second factor. Throws if it is missing or wrong. */
type CheckCode = (person: Person, code: string | undefined) => Promise<void>;

/** Manages a merchant's access keys for its own people. */
export class AccessKeyService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #checkCode: CheckCode;

  constructor(database: Database, secrets: Secrets, checkCode: CheckCode) {
    this.#database = database;
    this.#secrets = secrets;
    this.#checkCode = checkCode;
  }

  /** Returns the newest key with the older ones that are still valid; null if there is none. */
  async find(merchantId: bigint): Promise<AccessKey | null> {
    const [newest, ...older] = await this.#list(merchantId);
    if (!newest) return null;
    const { keyId, createdAt, isEnabled, note, callbackUrl } = newest;
    return {
      keyId,
      createdAt: createdAt.toISOString(),
      isEnabled,
      note,
      callbackUrl,
      older: older.flatMap((key) =>
        key.endsAt ? [{ keyId: key.keyId, endsAt: key.endsAt.toISOString() }] : [],
      ),
    };
  }

  /** Reveals the newest key's secret. Throws `not_found`, or the refusal of the code. */
  async reveal(person: Person, request: RequestInfo, code: string | undefined): Promise<ShownKey> {
    await this.#checkCode(person, code);
    const [key] = await this.#list(person.home.merchantId);
    if (!key) throw new Refusal('not_found');
    const { keyId, secretEncrypted } = key;
    await this.#database.asSystem(async (tx) => {
      await noteReader(tx, person, keyId);
      await auditPerson(tx, person, request, 'access_key.reveal', { subject: keyId });
    });
    return { keyId, secret: this.#secrets.decrypt(secretEncrypted) };
  }

  /**
   * Creates a new key with the note and callback URL of the last one. Earlier keys expire after
   * `overlapHours`, or at once if it is 0. Returns the number of the request instead if a rule asks for approval. Throws `conflict` while
   * another change of the key waits, or the refusal of the code.
   */
  async regenerate(
    person: Person,
    request: RequestInfo,
    overlapHours: number,
    code: string | undefined,
  ): Promise<ShownKey | { requestNo: string }> {
    await this.#checkCode(person, code);
    const { merchantId, code: merchant } = person.home;
    const key = freshKey(merchant);
    return this.#database.asSystem(async (tx) => {
      await lockStanding(tx, merchantId);
      await lockKeys(tx, merchantId);
      // Includes a key that an operator revoked: new orders keep the callback URL.
      const before = await findLastKey(tx, merchantId);
      const keyId = before?.keyId ?? null;
      const asked = { setting: 'key', action: 'newKey', keyId, overlapHours } as const;
      const requestNo = await askForAccess(tx, person, request, asked);
      if (requestNo !== undefined) return { requestNo };
      const createdBy = person.userId;
      await replaceKey(tx, this.#secrets, merchantId, { key, before, overlapHours, createdBy });
      await noteReader(tx, person, key.keyId);
      await auditPerson(tx, person, request, 'access_key.regenerate', {
        subject: key.keyId,
        ...(before && { before: { keyId: before.keyId } }),
        after: { keyId: key.keyId, overlapHours },
      });
      return key;
    });
  }

  /**
   * Changes the newest key. If a rule asks for approval, a new callback URL and enabling the key wait; the rest is done at once, because
   * nobody should have to wait to stop a leak. Returns the number of the request, if there is one. Throws `not_found`; `conflict` while
   * another change of the key waits.
   */
  async update(person: Person, request: RequestInfo, change: KeyChange): Promise<string | undefined> {
    const { merchantId } = person.home;
    const { note = null, callbackUrl = null, isEnabled } = change;
    return this.#database.asSystem(async (tx) => {
      await lockStanding(tx, merchantId);
      await lockKeys(tx, merchantId);
      const [key] = await listKeys(tx, merchantId);
      if (!key) throw new Refusal('not_found');
      const wanted = { callbackUrl, isEnabled };
      const narrowed = {
        callbackUrl: callbackUrl === null ? null : key.callbackUrl,
        isEnabled: isEnabled && key.isEnabled,
      };
      const opens = wanted.callbackUrl !== narrowed.callbackUrl || wanted.isEnabled !== narrowed.isEnabled;
      const { keyId } = key;
      const asked = {
        setting: 'key',
        action: 'keySettings',
        keyId,
        before: narrowed,
        after: wanted,
      } as const;
      const requestNo = opens ? await askForAccess(tx, person, request, asked) : undefined;
      const before = { note: key.note, callbackUrl: key.callbackUrl, isEnabled: key.isEnabled };
      const after = { note, ...(requestNo === undefined ? wanted : narrowed) };
      if (requestNo !== undefined && isDeepStrictEqual(before, after)) return requestNo;
      await updateKey(tx, merchantId, keyId, after);
      await auditPerson(tx, person, request, 'access_key.update', { subject: keyId, before, after });
      return requestNo;
    });
  }

  /** Ends the older keys at once, without approval: one of them may be the key that has leaked. */
  async endOlder(person: Person, request: RequestInfo): Promise<void> {
    const { merchantId } = person.home;
    await this.#database.asSystem(async (tx) => {
      await lockKeys(tx, merchantId);
      for (const subject of await revokeOlder(tx, merchantId))
        await auditPerson(tx, person, request, 'access_key.revoke', { subject });
    });
  }

  #list(merchantId: bigint): Promise<KeyRow[]> {
    return this.#database.asSystem((tx) => listKeys(tx, merchantId), { oneStatement: true });
  }
}
