import { randomBytes } from 'node:crypto';
import type { AccessKey } from '@hengfu/contract/access-key';
import type { Database } from '#db/database.ts';
import { insertAccessKey } from '#domain/access-keys.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  endKeys,
  findLastKey,
  type KeyRow,
  listKeys,
  lockKeys,
  noteReader,
  updateKey,
} from './access-key.sql.ts';

const keyIdBytes = 6;
const secretBytes = 24;

/** A key and its plaintext secret: shown to people, never logged. */
export interface ShownKey {
  keyId: string;
  secret: string;
}

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
   * `overlapHours`, or at once if it is 0.
   */
  async regenerate(
    person: Person,
    request: RequestInfo,
    overlapHours: number,
    code: string | undefined,
  ): Promise<ShownKey> {
    await this.#checkCode(person, code);
    const { merchantId, code: merchant } = person.home;
    const key: ShownKey = {
      keyId: `ak_${merchant}_${randomBytes(keyIdBytes).toString('hex')}`,
      secret: `sk_${randomBytes(secretBytes).toString('hex')}`,
    };
    await this.#database.asSystem(async (tx) => {
      await lockKeys(tx, merchantId);
      // Includes a key that an operator revoked: new orders keep the callback URL.
      const before = await findLastKey(tx, merchantId);
      await endKeys(tx, merchantId, overlapHours);
      const secretEncrypted = this.#secrets.encrypt(key.secret);
      const { note = null, callbackUrl = null } = before ?? {};
      const { keyId } = key;
      const createdBy = person.userId;
      await insertAccessKey(tx, { keyId, merchantId, secretEncrypted, note, callbackUrl, createdBy });
      await noteReader(tx, person, key.keyId);
      await auditPerson(tx, person, request, 'access_key.regenerate', {
        subject: key.keyId,
        ...(before && { before: { keyId: before.keyId } }),
        after: { keyId: key.keyId, overlapHours },
      });
    });
    return key;
  }

  /** Changes the newest key. Throws `not_found`. */
  async update(person: Person, request: RequestInfo, change: KeyChange): Promise<void> {
    const { merchantId } = person.home;
    const { note = null, callbackUrl = null, isEnabled } = change;
    await this.#database.asSystem(async (tx) => {
      await lockKeys(tx, merchantId);
      const [key] = await listKeys(tx, merchantId);
      if (!key) throw new Refusal('not_found');
      const after = { note, callbackUrl, isEnabled };
      await updateKey(tx, merchantId, key.keyId, after);
      const before = { note: key.note, callbackUrl: key.callbackUrl, isEnabled: key.isEnabled };
      await auditPerson(tx, person, request, 'access_key.update', { subject: key.keyId, before, after });
    });
  }

  #list(merchantId: bigint): Promise<KeyRow[]> {
    return this.#database.asSystem((tx) => listKeys(tx, merchantId), { oneStatement: true });
  }
}
