import type { AccessSetting, KeyLimits, KeySettings } from '@hengfu/contract/access-requests';
import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { Perm } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { formatBlock } from '#security/addresses.ts';
import { readActiveGrant } from './active-roles.sql.ts';
import { askForChange, type ChangeEffects, type ChangeRequest, hasRules } from './approvals.sql.ts';
import { auditPerson, writeAudit } from './audit.sql.ts';
import type { Person, RequestInfo } from './caller.ts';
import { Refusal } from './refusal.ts';

/** The settings of a callback endpoint that decide where data goes; `events` is null for all. */
export interface EndpointSettings {
  url: string;
  events: string[] | null;
}

/** Settings in a request: those of the versions before have no limits. */
export type StoredKeySettings = Pick<KeySettings, 'callbackUrl' | 'isEnabled'> & Partial<KeyLimits>;

/** A change of access keys, of the whitelist or of a callback endpoint, as its request keeps it. */
export type StoredAccessChange =
  | ({ setting: 'key'; action: 'addKey'; name: string; callbackUrl: string | null } & KeyLimits)
  | {
      setting: 'key';
      action: 'newKey';
      /** The key that is replaced, even if revoked since; null if there was none. */
      keyId: string | null;
      overlapHours: number;
      /** When the new key expires; absent in requests of the versions before. */
      endsAt?: string | null;
    }
  | {
      setting: 'key';
      action: 'keySettings';
      keyId: string;
      before: StoredKeySettings;
      after: StoredKeySettings;
    }
  | {
      setting: 'whitelist';
      action: 'whitelist';
      /** CIDR blocks, as PostgreSQL writes them. */
      before: string[];
      after: string[];
      /** Whether the person has confirmed that the list blocks every caller of the last seven days. */
      isClosedConfirmed: boolean;
    }
  | {
      setting: 'endpoint';
      action: 'endpoint';
      /** Null for a new one. */
      endpointId: string | null;
      before: EndpointSettings | null;
      after: EndpointSettings;
      description: string | null;
    };

/** Longest list of addresses in a request's target. */
const shownAddresses = 3;

/**
 * Asks for approval of a change that a person makes, with the merchant's standing locked. Returns the number of the request; undefined if
 * no rule covers the access. Throws `request_waiting` while another change of the same setting waits: it would not see what that one changes.
 */
export async function askForAccess(
  tx: Tx,
  person: Person,
  request: RequestInfo,
  change: StoredAccessChange,
): Promise<string | undefined> {
  const { merchantId } = person.home;
  if (!(await hasRules(tx, merchantId, 'access'))) return undefined;
  if (await isWaiting(tx, merchantId, change.setting)) throw new Refusal('request_waiting');
  const requestNo = await askForChange(tx, merchantId, {
    kind: 'access',
    change,
    target: targetOf(change),
    requester: `user:${person.userId}`,
    ruleKind: 'access',
  });
  if (requestNo === undefined) return undefined;
  await auditPerson(tx, person, request, 'approval.access_asked', {
    subject: requestNo,
    ...differenceOf(change),
  });
  return requestNo;
}

async function isWaiting(tx: Tx, merchantId: bigint, setting: AccessSetting): Promise<boolean> {
  const { rows } = await sql`
    select from approval_request
    where merchant_id = ${merchantId} and kind = 'access' and state = 'waiting' and change ->> 'setting' = ${setting}`.execute(
    tx.query,
  );
  return rows.length > 0;
}

/** The key or its name, the new callback URL, the endpoint's address, or the first addresses that are added. */
function targetOf(change: StoredAccessChange): string | null {
  if (change.action === 'endpoint') return change.after.url;
  if (change.action === 'addKey') return change.name;
  if (change.action === 'newKey') return change.keyId;
  if (change.action === 'keySettings') {
    const { before, after, keyId } = change;
    return after.callbackUrl === before.callbackUrl ? keyId : after.callbackUrl;
  }
  const added = change.after.filter((block) => !change.before.includes(block));
  const shown = added.slice(0, shownAddresses).map(formatBlock).join(', ');
  return added.length > shownAddresses ? `${shown} …` : shown;
}

function differenceOf(change: StoredAccessChange): { before?: AuditValues; after: AuditValues } {
  if (change.action === 'addKey') {
    const { name, callbackUrl, scopes, addresses, endsAt } = change;
    return { after: { name, callbackUrl, scopes, addresses, endsAt } };
  }
  if (change.action === 'newKey') {
    const { keyId, overlapHours, endsAt } = change;
    return {
      ...(keyId !== null && { before: { keyId } }),
      after: { overlapHours, ...(endsAt && { endsAt }) },
    };
  }
  if (change.action === 'keySettings') return { before: change.before, after: change.after };
  if (change.action === 'endpoint')
    return { ...(change.before && { before: change.before }), after: change.after };
  return { before: { blocks: change.before }, after: { blocks: change.after } };
}

/** Joins the effects of changes of the access key, the whitelist and callback endpoints. */
export function accessApproval(effects: Readonly<Record<AccessSetting, ChangeEffects>>): ChangeEffects {
  const of = ({ change }: ChangeRequest) => effects[(change as StoredAccessChange).setting];
  return {
    approved: (tx, asked) => of(asked).approved(tx, asked),
    ended: (tx, asked, end) => of(asked).ended(tx, asked, end),
  };
}

/** Throws `conflict` unless the person who asked still has the permission for the setting. */
export async function assertStillManages(
  tx: MerchantTx,
  { requested_by }: Pick<ChangeRequest, 'requested_by'>,
  perm: Perm = 'access.manage',
): Promise<void> {
  const { perms } = await readActiveGrant(tx, BigInt(requested_by.replace(/^user:/, '')));
  if (!perms.includes(perm)) throw new Refusal('conflict');
}

/** Records a change that was approved, as made by the person who asked. */
export async function auditApproved(
  tx: MerchantTx,
  { requested_by, request_no }: ChangeRequest,
  row: {
    action:
      | 'access_key.add'
      | 'access_key.regenerate'
      | 'access_key.update'
      | 'ip_address.set'
      | 'callback_endpoint.create'
      | 'callback_endpoint.update';
    subject?: string;
    before?: AuditValues;
    after: AuditValues;
  },
): Promise<void> {
  const { merchantId } = tx;
  const { after, ...rest } = row;
  await writeAudit(tx, {
    merchantId,
    actor: requested_by,
    ...rest,
    after: { ...after, requestNo: request_no },
  });
}
