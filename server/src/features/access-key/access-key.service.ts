import type { AccessKey } from '@hengfu/contract/access-key';
import type { Database, Tx } from '#db/database.ts';
import { noteReader } from '#domain/access-keys.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import { findLastKey, type KeyRow, listKeys, lockKeys, revokeKeys } from './access-key.sql.ts';
import {
  assertVersion,
  type CheckCode,
  changeKey,
  holdForChange,
  keyVersion,
  settingsOf,
  succeed,
} from './key-flows.ts';
import { firstKey, type ShownKey, sameLifetime } from './new-key.ts';

export interface FirstKeyChange {
  note?: string | undefined;
  callbackUrl?: string | undefined;
  isEnabled: boolean;
  version?: string | undefined;
  code?: string | undefined;
}

/** The first of a merchant's live keys, with those that it has replaced. Merchants with one system need no other. */
interface First {
  key: KeyRow;
  older: (KeyRow & { endsAt: Date })[];
}

/** Manages a merchant's first access key for its own people, as the page of the single key shows it. */
export class AccessKeyService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #checkCode: CheckCode;

  constructor(database: Database, secrets: Secrets, checkCode: CheckCode) {
    this.#database = database;
    this.#secrets = secrets;
    this.#checkCode = checkCode;
  }

  /** Returns the first key with the older ones that it has replaced and that are still valid; null if there is none. */
  async find(merchantId: bigint): Promise<AccessKey | null> {
    const first = await this.#find(merchantId);
    if (!first) return null;
    const { keyId, createdAt, isEnabled, note, callbackUrl } = first.key;
    return {
      keyId,
      createdAt: createdAt.toISOString(),
      isEnabled,
      note,
      callbackUrl,
      version: keyVersion(first.key),
      older: first.older.map((key) => ({ keyId: key.keyId, endsAt: key.endsAt.toISOString() })),
    };
  }

  /** Reveals the first key's secret. Throws `not_found`, or the refusal of the code. */
  async reveal(person: Person, request: RequestInfo, code: string | undefined): Promise<ShownKey> {
    await this.#checkCode(person, code);
    const first = await this.#find(person.home.merchantId);
    if (!first) throw new Refusal('not_found');
    const { keyId, secretEncrypted } = first.key;
    await this.#database.asSystem(async (tx) => {
      await noteReader(tx, person, keyId);
      await auditPerson(tx, person, request, 'access_key.reveal', { subject: keyId });
    });
    return { keyId, secret: this.#secrets.decrypt(secretEncrypted) };
  }

  /**
   * Creates a key instead of the first one, with its settings; it lives as long as that one, if that one expires
   * (`sameLifetime`). Earlier keys of its line
   * expire after `overlapHours`, or at once if it is 0. Returns the number of the request instead if a rule asks for approval. Throws
   * `request_waiting` while another change of keys waits, `quota_reached`, or the refusal of the code.
   */
  async regenerate(
    person: Person,
    request: RequestInfo,
    overlapHours: number,
    code: string | undefined,
  ): Promise<ShownKey | { requestNo: string }> {
    await this.#checkCode(person, code);
    const { merchantId } = person.home;
    return this.#database.asSystem(async (tx) => {
      await holdForChange(tx, merchantId);
      const first = await findFirst(tx, merchantId);
      // Also a key that was revoked: new orders keep the callback URL. A key that was replaced has had its successor.
      const before = first?.key.successor === null ? first.key : await findLastKey(tx, merchantId);
      const endsAt = sameLifetime(before, Date.now());
      return succeed({ tx, person, request }, this.#secrets, { before, overlapHours, endsAt });
    });
  }

  /**
   * Changes the first key. If a rule asks for approval, a new callback URL and enabling the key wait; the rest is done at once, because
   * nobody should have to wait to stop a leak. Returns the number of the request, if there is one. Throws `not_found`; `request_waiting`
   * while another change of keys waits; `conflict` if the key has changed since the given version, or was replaced and would allow more; the refusal of the
   * code, which another callback URL needs.
   */
  async update(person: Person, request: RequestInfo, change: FirstKeyChange): Promise<string | undefined> {
    const { note = null, callbackUrl = null, isEnabled, version, code } = change;
    const shown = await this.#find(person.home.merchantId);
    if (!shown) throw new Refusal('not_found');
    const isElsewhere = shown.key.callbackUrl !== callbackUrl;
    if (isElsewhere) {
      if (person.twoFactor !== 'on') throw new Refusal('two_factor_required');
      await this.#checkCode(person, code);
    }
    return this.#database.asSystem(async (tx) => {
      await holdForChange(tx, person.home.merchantId);
      const first = await findFirst(tx, person.home.merchantId);
      if (!first) throw new Refusal('not_found');
      const { key } = first;
      assertVersion(key, version);
      // It has changed since it was looked at, and this would change it back.
      if (!isElsewhere && key.callbackUrl !== callbackUrl) throw new Refusal('conflict');
      const wanted = { ...settingsOf(key), name: key.name, note, callbackUrl, isEnabled };
      return changeKey({ tx, person, request }, key, wanted);
    });
  }

  /** Ends the keys that the first one has replaced, without approval: one of them may be the key that has leaked. */
  async endOlder(person: Person, request: RequestInfo): Promise<void> {
    const { merchantId } = person.home;
    await this.#database.asSystem(async (tx) => {
      await lockKeys(tx, merchantId);
      const first = await findFirst(tx, merchantId);
      const older = first?.older.map(({ keyId }) => keyId) ?? [];
      for (const subject of await revokeKeys(tx, merchantId, older))
        await auditPerson(tx, person, request, 'access_key.revoke', { subject });
      tx.changed(merchantId, 'approvals');
    });
  }

  #find(merchantId: bigint): Promise<First | undefined> {
    return this.#database.asSystem((tx) => findFirst(tx, merchantId), { oneStatement: true });
  }
}

async function findFirst(tx: Tx, merchantId: bigint): Promise<First | undefined> {
  const keys = await listKeys(tx, merchantId);
  const key = firstKey(keys);
  if (!key) return undefined;
  const older = keys.flatMap((other) => {
    const { endsAt, successor, lineBeganAt } = other;
    const isOfLine = successor === key.keyId || lineBeganAt.getTime() === key.lineBeganAt.getTime();
    return other !== key && successor !== null && endsAt && isOfLine ? [{ ...other, endsAt }] : [];
  });
  return { key, older };
}
