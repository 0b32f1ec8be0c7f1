import { isDeepStrictEqual } from 'node:util';
import type { KeySettings } from '@hengfu/contract/access-requests';
import type { MerchantTx, Tx } from '#db/database.ts';
import { askForAccess } from '#domain/access-approval.sql.ts';
import { noteReader } from '#domain/access-keys.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { lockStanding } from '#domain/standing.sql.ts';
import { versionOf } from '#domain/version.ts';
import type { Secrets } from '#security/secrets.ts';
import { type KeyChange, type KeyRow, lockKeys, updateKey } from './access-key.sql.ts';
import { narrowedBy } from './key-changes.rules.ts';
import { freshKey, replaceKey, type ShownKey } from './new-key.ts';

/** Checks the code of a person who has a second factor. Throws if it is missing or wrong. */
export type CheckCode = (person: Person, code: string | undefined) => Promise<void>;

/** A person in a request, in the transaction that does what the person asks for. */
export interface Acting {
  tx: Tx;
  person: Person;
  request: RequestInfo;
}

/** The parts of a key that people change, or that end it. */
type VersionedKey = Pick<
  KeyRow,
  'keyId' | 'name' | 'note' | 'callbackUrl' | 'isEnabled' | 'scopes' | 'addresses' | 'endsAt' | 'successor'
>;

/** Locks a merchant's standing, then its keys: the order of every change of keys that may need approval. */
export async function holdForChange(tx: Tx, merchantId: bigint): Promise<void> {
  await lockStanding(tx, merchantId);
  await lockKeys(tx, merchantId);
}

/** The settings of a key that open something. */
export function settingsOf({
  callbackUrl,
  isEnabled,
  scopes,
  addresses,
  endsAt,
}: Omit<VersionedKey, 'keyId' | 'name' | 'note' | 'successor'>): KeySettings {
  return { callbackUrl, isEnabled, scopes, addresses, endsAt: endsAt?.toISOString() ?? null };
}

/** Returns a text that differs for another key, and for other settings of it. */
export function keyVersion({ keyId, name, note, successor, ...settings }: VersionedKey): string {
  return versionOf([keyId, name, note, successor, settingsOf(settings)]);
}

/** Throws `conflict` if a key has changed since a person looked at the version. Consoles of the version before send none. */
export function assertVersion(key: VersionedKey, seen: string | undefined): void {
  if (seen !== undefined && seen !== keyVersion(key)) throw new Refusal('conflict');
}

/**
 * Changes a key. If a rule asks for approval, what allows more than before waits, and the rest is done at once. Returns the number of the
 * request, if there is one. Throws `conflict` if the key was replaced and would allow more, and `request_waiting` while another change of keys waits. The caller
 * has locked the keys.
 */
export async function changeKey(
  { tx, person, request }: Acting,
  key: KeyRow,
  { name, note, ...wanted }: KeyChange,
): Promise<string | undefined> {
  const { keyId } = key;
  const current = settingsOf(key);
  const narrowed = narrowedBy(current, wanted);
  const asked = { setting: 'key', action: 'keySettings', keyId, before: narrowed, after: wanted } as const;
  const opens = !isDeepStrictEqual(narrowed, wanted);
  // Nobody could approve such a request, and it would block all others.
  if (opens && key.successor !== null) throw new Refusal('conflict');
  const requestNo = opens ? await askForAccess(tx, person, request, asked) : undefined;
  const before = { name: key.name, note: key.note, ...current };
  const after = { name, note, ...(requestNo === undefined ? wanted : narrowed) };
  if (requestNo !== undefined && isDeepStrictEqual(before, after)) return requestNo;
  await updateKey(tx, person.home.merchantId, keyId, after);
  // Also for requests that cannot be approved any more.
  tx.changed(person.home.merchantId, 'approvals');
  await auditPerson(tx, person, request, 'access_key.update', { subject: keyId, before, after });
  return requestNo;
}

/** A key to be replaced, the hours for which it stays valid, and the expiry of the new one. */
interface Succession {
  before: KeyRow | undefined;
  overlapHours: number;
  endsAt: Date | null;
}

/**
 * Makes a key instead of another one, and returns it. Returns the number of the request instead if a rule asks for approval. Throws
 * `request_waiting` while another change of keys waits; `quota_reached`. The caller has locked the keys.
 */
export async function succeed(
  { tx, person, request }: Acting,
  secrets: Secrets,
  { before, overlapHours, endsAt }: Succession,
): Promise<ShownKey | { requestNo: string }> {
  const { merchantId, code } = person.home;
  const requestNo = await askForAccess(tx, person, request, {
    setting: 'key',
    action: 'newKey',
    keyId: before?.keyId ?? null,
    overlapHours,
    endsAt: endsAt?.toISOString() ?? null,
  });
  if (requestNo !== undefined) return { requestNo };
  const key = freshKey({ code, mode: person.mode });
  const createdBy = person.userId;
  await replaceKey(tx, secrets, merchantId, { key, before, overlapHours, endsAt, createdBy });
  tx.changed(merchantId, 'approvals');
  await noteReader(tx, person, key.keyId);
  await auditPerson(tx, person, request, 'access_key.regenerate', {
    subject: key.keyId,
    ...(before && { before: { keyId: before.keyId } }),
    after: succeededBy(key.keyId, { overlapHours, endsAt }),
  });
  return key;
}

/** Returns the values that the audit trail records of a new key. */
export function succeededBy(
  keyId: string,
  { overlapHours, endsAt }: Omit<Succession, 'before'>,
): { keyId: string; overlapHours: number; endsAt?: string } {
  return { keyId, overlapHours, ...(endsAt && { endsAt: endsAt.toISOString() }) };
}

/** Throws `conflict` if an expiry that was asked for has passed before it was approved. */
export function futureOrConflict(endsAt: string | null | undefined): Date | null {
  if (endsAt === null || endsAt === undefined) return null;
  const at = new Date(endsAt);
  if (at.getTime() <= Date.now()) throw new Refusal('conflict');
  return at;
}

/** Runs work whose quota can be full only because others were quicker: an approver reads it as a conflict. */
export async function orConflict(tx: MerchantTx, work: (tx: MerchantTx) => Promise<void>): Promise<void> {
  try {
    await work(tx);
  } catch (error) {
    throw error instanceof Refusal && error.code === 'quota_reached' ? new Refusal('conflict') : error;
  }
}
