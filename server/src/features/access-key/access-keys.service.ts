import { type AccessKeyRow, maxKeyIpLines } from '@hengfu/contract/access-keys';
import type { KeyScope } from '@hengfu/contract/key-scopes';
import type { Database, Tx } from '#db/database.ts';
import { askForAccess } from '#domain/access-approval.sql.ts';
import { assertMayAddKey, insertAccessKey, noteReader } from '#domain/access-keys.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { validBlocks } from '#security/block-lines.ts';
import type { Secrets } from '#security/secrets.ts';
import { findKey, type KeyRow, lockKeys, revokeKeys } from './access-key.sql.ts';
import {
  type Acting,
  assertVersion,
  type CheckCode,
  changeKey,
  holdForChange,
  settingsOf,
  succeed,
} from './key-flows.ts';
import { listAllKeys } from './key-list.sql.ts';
import { toKeyRows } from './key-list.view.ts';
import { freshKey, latestExpiry, type ShownKey } from './new-key.ts';

/** The settings of a key, as a person enters them. */
export interface KeyInput {
  name: string;
  scopes: KeyScope[];
  /** One address or block per line. */
  addresses: string;
  expiresAt: string | null;
  callbackUrl: string;
}

/** Input that was checked. */
type Checked = ReturnType<typeof checked>;

/** Manages all access keys of a merchant for its own people. */
export class AccessKeysService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #checkCode: CheckCode;

  constructor(database: Database, secrets: Secrets, checkCode: CheckCode) {
    this.#database = database;
    this.#secrets = secrets;
    this.#checkCode = checkCode;
  }

  async list(merchantId: bigint): Promise<AccessKeyRow[]> {
    const keys = await this.#database.asMerchant(merchantId, (tx) => listAllKeys(tx), { oneStatement: true });
    return toKeyRows(keys);
  }

  /**
   * Creates a key beside the others. Returns the number of the request instead if a rule asks for approval. Throws `validation_failed`,
   * `request_waiting` while another change of keys waits, `quota_reached`, or the refusal of the code.
   */
  async create(
    person: Person,
    request: RequestInfo,
    { code, ...input }: KeyInput & { code?: string | undefined },
  ): Promise<ShownKey | { requestNo: string }> {
    const settings = checked(input);
    await this.#checkCode(person, code);
    return this.#database.asSystem(async (tx) => {
      await holdForChange(tx, person.home.merchantId);
      await assertMayAddKey(tx, person.home.merchantId);
      return this.#create({ tx, person, request }, settings);
    });
  }

  async #create({ tx, person, request }: Acting, settings: Checked) {
    const { merchantId, code } = person.home;
    const requestNo = await askForAccess(tx, person, request, {
      setting: 'key',
      action: 'addKey',
      ...settings,
    });
    if (requestNo !== undefined) return { requestNo };
    const key = freshKey({ code, mode: person.mode });
    const { endsAt, ...rest } = settings;
    await insertAccessKey(tx, {
      ...rest,
      keyId: key.keyId,
      merchantId,
      secretEncrypted: this.#secrets.encrypt(key.secret),
      endsAt: endsAt === null ? null : new Date(endsAt),
      createdBy: person.userId,
    });
    tx.changed(merchantId, 'approvals');
    await noteReader(tx, person, key.keyId);
    await auditPerson(tx, person, request, 'access_key.add', { subject: key.keyId, after: settings });
    return key;
  }

  /**
   * Changes a key. If a rule asks for approval, what allows more waits, and the rest applies at once. Returns the number of the request, if there
   * is one. Throws `validation_failed`; `not_found`; `conflict` if the key has changed since the given version, or was replaced; `request_waiting`
   * while another change of keys waits; or the refusal of the code.
   */
  async update(
    person: Person,
    request: RequestInfo,
    keyId: string,
    { code, version, ...input }: KeyInput & { version?: string | undefined; code?: string | undefined },
  ): Promise<string | undefined> {
    const settings = checked(input, { isNew: false });
    await this.#prove(person, keyId, code);
    return this.#change({ person, request }, keyId, async (acting, key) => {
      if (key.successor !== null) throw new Refusal('conflict');
      assertVersion(key, version);
      const isKept = settings.endsAt === (key.endsAt?.toISOString() ?? null);
      if (!isKept) assertFuture(settings.endsAt);
      return changeKey(acting, key, { ...settingsOf(key), ...settings, note: key.note });
    });
  }

  /**
   * Enables or disables a key. Enabling waits if a rule asks for approval; returns the number of the request then. Throws `not_found`;
   * `conflict` if a key that was replaced is enabled; `request_waiting` while another change of keys waits.
   */
  turn(person: Person, request: RequestInfo, keyId: string, isOn: boolean): Promise<string | undefined> {
    return this.#change({ person, request }, keyId, (acting, key) =>
      changeKey(acting, key, { ...settingsOf(key), name: key.name, note: key.note, isEnabled: isOn }),
    );
  }

  /** Reveals the secret of a live key. Throws `not_found`, or the refusal of the code. */
  async reveal(
    person: Person,
    request: RequestInfo,
    keyId: string,
    code: string | undefined,
  ): Promise<ShownKey> {
    await this.#prove(person, keyId, code);
    return this.#database.asSystem(async (tx) => {
      const { secretEncrypted } = await liveKey(tx, person, keyId);
      await noteReader(tx, person, keyId);
      await auditPerson(tx, person, request, 'access_key.reveal', { subject: keyId });
      return { keyId, secret: this.#secrets.decrypt(secretEncrypted) };
    });
  }

  /**
   * Creates a key instead of one, with its settings. Returns the number of the request instead if a rule asks for approval. Throws
   * `validation_failed`; `not_found`; `conflict` if the key has a successor already; `request_waiting` while another change of keys waits; `quota_reached`; or the
   * refusal of the code.
   */
  async succeed(
    person: Person,
    request: RequestInfo,
    keyId: string,
    {
      overlapHours,
      expiresAt,
      code,
    }: { overlapHours: number; expiresAt: string | null; code?: string | undefined },
  ): Promise<ShownKey | { requestNo: string }> {
    const endsAt = assertFuture(expiresAt);
    await this.#prove(person, keyId, code);
    return this.#change({ person, request }, keyId, (acting, before) => {
      if (before.successor !== null) throw new Refusal('conflict');
      return succeed(acting, this.#secrets, { before, overlapHours, endsAt });
    });
  }

  /** Ends a key at once, without approval: it may be the one that has leaked. Throws `not_found`. */
  async end(person: Person, request: RequestInfo, keyId: string): Promise<void> {
    const { merchantId } = person.home;
    await this.#database.asSystem(async (tx) => {
      await lockKeys(tx, merchantId);
      const ended = await revokeKeys(tx, merchantId, [keyId]);
      if (ended.length === 0) throw new Refusal('not_found');
      tx.changed(merchantId, 'approvals');
      await auditPerson(tx, person, request, 'access_key.revoke', { subject: keyId });
    });
  }

  /** Checks the code, which works only once, of somebody who means one of the merchant's live keys. Throws `not_found`, or the refusal of the code. */
  async #prove(person: Person, keyId: string, code: string | undefined): Promise<void> {
    await this.#database.asSystem((tx) => liveKey(tx, person, keyId), { oneStatement: true });
    await this.#checkCode(person, code);
  }

  #change<T>(
    { person, request }: Omit<Acting, 'tx'>,
    keyId: string,
    work: (acting: Acting, key: KeyRow) => Promise<T>,
  ): Promise<T> {
    return this.#database.asSystem(async (tx) => {
      await holdForChange(tx, person.home.merchantId);
      return work({ tx, person, request }, await liveKey(tx, person, keyId));
    });
  }
}

/** Finds a live key of the person's merchant. Throws `not_found`. */
async function liveKey(tx: Tx, { home: { merchantId } }: Person, keyId: string): Promise<KeyRow> {
  const key = await findKey(tx, merchantId, keyId);
  if (!key?.isLive) throw new Refusal('not_found');
  return key;
}

/** Checks the input of a key. Throws `validation_failed`. */
function checked({ name, scopes, addresses, expiresAt, callbackUrl }: KeyInput, { isNew = true } = {}) {
  const blocks = validBlocks('addresses', addresses, maxKeyIpLines);
  if (isNew) assertFuture(expiresAt);
  return {
    name,
    scopes,
    addresses: blocks.length === 0 ? null : blocks,
    endsAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    callbackUrl: callbackUrl === '' ? null : callbackUrl,
  };
}

/** Throws `validation_failed` unless an expiry is to come, within some years. */
function assertFuture(expiresAt: string | null): Date | null {
  if (expiresAt === null) return null;
  const at = new Date(expiresAt);
  const nowMs = Date.now();
  if (at.getTime() <= nowMs || at > latestExpiry(nowMs))
    throw fieldRefusal('expiresAt', 'validation.keyExpiry');
  return at;
}
