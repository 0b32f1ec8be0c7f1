import { isDeepStrictEqual } from 'node:util';
import type { MerchantTx } from '#db/database.ts';
import { assertStillManages, auditApproved, type StoredAccessChange } from '#domain/access-approval.sql.ts';
import { assertMayAddKey, insertAccessKey } from '#domain/access-keys.sql.ts';
import type { ChangeEffects, ChangeRequest } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import { findKey, findLastKey, lockKeys, readKeyMerchant, updateKey } from './access-key.sql.ts';
import { futureOrConflict, orConflict, settingsOf, succeededBy } from './key-flows.ts';
import { freshKey, replaceKey } from './new-key.ts';

type StoredKeyChange = Extract<StoredAccessChange, { setting: 'key' }>;
type StoredChange<A extends StoredKeyChange['action']> = Extract<StoredKeyChange, { action: A }>;

/**
 * Approval of changes of access keys. A new key is made in the transaction of the approval: its secret is in its encrypted column
 * alone, until the person who asked, or another one who may, reveals it.
 */
export function accessKeyApproval(secrets: Secrets): ChangeEffects {
  return {
    async approved(tx, asked) {
      const change = asked.change as StoredKeyChange;
      await lockKeys(tx, tx.merchantId);
      await assertStillManages(tx, asked);
      if (change.action === 'addKey') await orConflict(tx, () => addKey(tx, secrets, asked, change));
      else if (change.action === 'newKey') await orConflict(tx, () => makeKey(tx, secrets, asked, change));
      else await changeSettings(tx, asked, change);
    },
    ended: async () => undefined,
  };
}

const requesterOf = ({ requested_by }: ChangeRequest) => BigInt(requested_by.replace(/^user:/, ''));

/** Throws `conflict` if the key would have expired by now. */
async function addKey(
  tx: MerchantTx,
  secrets: Secrets,
  asked: ChangeRequest,
  { name, callbackUrl, scopes, addresses, endsAt }: StoredChange<'addKey'>,
): Promise<void> {
  const { merchantId } = tx;
  await assertMayAddKey(tx, merchantId);
  const { keyId, secret } = freshKey(await readKeyMerchant(tx));
  await insertAccessKey(tx, {
    keyId,
    merchantId,
    secretEncrypted: secrets.encrypt(secret),
    name,
    callbackUrl,
    scopes,
    addresses,
    endsAt: futureOrConflict(endsAt),
    createdBy: requesterOf(asked),
  });
  const after = { name, callbackUrl, scopes, addresses, endsAt };
  await auditApproved(tx, asked, { action: 'access_key.add', subject: keyId, after });
}

/** Throws `conflict` if the key has been replaced since, if it was to be the first one and is not, or if the new one would have expired. */
async function makeKey(
  tx: MerchantTx,
  secrets: Secrets,
  asked: ChangeRequest,
  { keyId, overlapHours, endsAt: wanted }: StoredChange<'newKey'>,
): Promise<void> {
  const { merchantId } = tx;
  const before = keyId === null ? undefined : await findKey(tx, merchantId, keyId);
  const isTaken =
    keyId === null ? (await findLastKey(tx, merchantId)) !== undefined : before?.successor !== null;
  if (isTaken) throw new Refusal('conflict');
  const endsAt = futureOrConflict(wanted);
  const key = freshKey(await readKeyMerchant(tx));
  await replaceKey(tx, secrets, merchantId, {
    key,
    before,
    overlapHours,
    endsAt,
    createdBy: requesterOf(asked),
  });
  await auditApproved(tx, asked, {
    action: 'access_key.regenerate',
    subject: key.keyId,
    ...(before && { before: { keyId: before.keyId } }),
    after: succeededBy(key.keyId, { overlapHours, endsAt }),
  });
}

/** Throws `conflict` if a setting that it changes is another one since, or the key has ended: one that was disabled stays disabled. */
async function changeSettings(
  tx: MerchantTx,
  asked: ChangeRequest,
  { keyId, before, after }: StoredChange<'keySettings'>,
): Promise<void> {
  const key = await findKey(tx, tx.merchantId, keyId);
  if (!key?.isLive) throw new Refusal('conflict');
  const current = settingsOf(key);
  // Requests of the versions before name fewer settings.
  const isSame = isDeepStrictEqual({ ...current, ...before }, current);
  const { endsAt } = after;
  if (!isSame || key.successor !== null) throw new Refusal('conflict');
  if (endsAt !== before.endsAt) futureOrConflict(endsAt);
  await updateKey(tx, tx.merchantId, keyId, { ...current, ...after, name: key.name, note: key.note });
  await auditApproved(tx, asked, { action: 'access_key.update', subject: keyId, before, after });
}
