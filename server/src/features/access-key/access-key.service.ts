import { randomBytes } from 'node:crypto';
import type { AccessKey } from '@hengfu/contract/access-key';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  endKeys,
  findLastKey,
  insertKey,
  type KeyRow,
  listKeys,
  lockKeys,
  updateKey,
} from './access-key.sql.ts';

const keyIdBytes = 6;
const secretBytes = 24;

/** A key with its secret: shown, never logged. */
export interface ShownKey {
  keyId: string;
  secret: string;
}

export interface KeyChange {
  note?: string | undefined;
  callbackUrl?: string | undefined;
  isEnabled: boolean;
}

/** Asks for a code where the person has a second factor; throws where it is not right. */
type CheckCode = (person: Person, code: string | undefined) => Promise<void>;

/** The keys of a merchant's programs, as its own people manage them. */
export class AccessKeyService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #checkCode: CheckCode;

  constructor(database: Database, secrets: Secrets, checkCode: CheckCode) {
    this.#database = database;
    this.#secrets = secrets;
    this.#checkCode = checkCode;
  }

  /** The newest key with the older ones that still count; null where there is none. */
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

  /** The newest key's secret. Throws `not_found`, or what the code is refused with. */
  async reveal(person: Person, request: RequestInfo, code: string | undefined): Promise<ShownKey> {
    await this.#checkCode(person, code);
    const [key] = await this.#list(person.home.merchantId);
    if (!key) throw new Refusal('not_found');
    const { keyId, secretEncrypted } = key;
    await this.#database.asSystem((tx) =>
      auditPerson(tx, person, request, 'access_key.reveal', { subject: keyId }),
    );
    return { keyId, secret: this.#secrets.decrypt(secretEncrypted) };
  }

  /** Makes a successor; the present keys go on for some hours, or end at once. Note and callback address go over. */
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
      // A key that the staff revoked has a successor, too: orders keep their callback address.
      const before = await findLastKey(tx, merchantId);
      await endKeys(tx, merchantId, overlapHours);
      const secretEncrypted = this.#secrets.encrypt(key.secret);
      const { note = null, callbackUrl = null } = before ?? {};
      await insertKey(tx, merchantId, { keyId: key.keyId, secretEncrypted, note, callbackUrl });
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
