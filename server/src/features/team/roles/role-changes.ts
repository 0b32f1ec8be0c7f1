import { isDeepStrictEqual } from 'node:util';
import type { SettingKind } from '@hengfu/contract/approval-rules';
import type { AuditValues } from '@hengfu/contract/audit-fields';
import { languages } from '@hengfu/contract/languages';
import {
  bothGrants,
  noGrant,
  type OwnPerms,
  type OwnRoleCode,
  type Perm,
  roles as sharedRoles,
} from '@hengfu/contract/permissions';
import type { Tx } from '#db/database.ts';
import {
  askForChange,
  findTeamRequest,
  hasRules,
  type RoleChange,
  type RoleText,
} from '#domain/approvals.sql.ts';
import { phrasesUnder } from '#domain/language.ts';
import { listOwnRoles, type StoredRole } from '#domain/own-roles.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { assertRulesStaffed } from '#domain/rule-staffing.sql.ts';
import { listInvitations, revokeInvitations } from '../invitations.sql.ts';
import { mayInvite, ruleKindOf } from '../member-changes.ts';
import type { TeamActor } from '../team.actor.ts';
import { listMembers } from '../team.sql.ts';
import { type Affected, affectedBy, type Holding, nameKey } from './own-roles.rules.ts';
import { updateOwnRole } from './own-roles.sql.ts';

/** A change of a role, as somebody makes it. */
interface RoleEdit {
  code: OwnRoleCode;
  after: RoleText;
  /** Whether the role is as the person has seen it. */
  isAsSeen(role: StoredRole): boolean;
  /**
   * Set once it is approved: those who may gain a permission by the change, because an approver has seen them, and the kind of rules that
   * approved it; null if all rules did.
   */
  shown?: { holders: readonly string[]; ruleKind: SettingKind | null };
}

/**
 * Changes one of the merchant's own roles, in a transaction that has locked the merchant's standing. Returns the number of the request
 * if somebody gains a permission, and the merchant's rules ask for approval of that. Throws `not_found`, `conflict`, `roles_exceed`,
 * `own_membership`, `approvers_missing`, `validation_failed`.
 */
export async function changeRole(
  tx: Tx,
  by: TeamActor,
  { code, after, isAsSeen, shown }: RoleEdit,
): Promise<string | undefined> {
  const own = await listOwnRoles(tx, by.merchantId);
  const role = findIn(own, code);
  const before = textOf(role);
  await by.assertMayGive(tx, bothGrants(granting(before.perms), granting(after.perms)));
  if (!isAsSeen(role)) throw new Refusal('conflict');
  if (isDeepStrictEqual(before, after)) return undefined;
  assertNameFree(own, after.name, code);
  const everybody = await listHoldings(tx, by.merchantId);
  const perms = permsByCode(own);
  const affected = affectedBy(everybody, perms, { ...perms, [code]: after.perms });
  await assertMayAffect(tx, by, affected);
  const gaining = affected.filter(({ before: had, after: has }) =>
    has.perms.some((perm) => !had.perms.includes(perm)),
  );
  const ruleKind = gaining.some((one) => ruleKindOf(one.before, one.after) === null) ? null : 'team';
  // Meanwhile somebody has lost a payment right, which the change would give back.
  const givesMore = shown?.ruleKind === 'team' && ruleKind === null;
  if (givesMore || (shown && gaining.some(({ who }) => !shown.holders.includes(who))))
    throw new Refusal('conflict');
  if (by.requester !== undefined && gaining.length > 0) {
    const holders = everybody
      .filter(({ roles }) => roles.includes(code))
      .map(({ who, name }) => ({ who, name }));
    const change = { action: 'role', id: code, before, after, holders } as const;
    const requestNo = await ask(tx, by, by.requester, { change, ruleKind });
    if (requestNo !== undefined) return requestNo;
  }
  await updateOwnRole(tx, by.merchantId, code, after);
  if (affected.some((one) => losesDeciding(one) || gainsKey(one)))
    await assertRulesStaffed(tx, by.merchantId);
  await revokeUncovered(tx, by, { code, affected });
  await by.audit(tx, {
    action: 'role.change',
    subject: before.name,
    before: recorded(before),
    after: recorded(after),
  });
  tx.changed(by.merchantId, 'team');
  return undefined;
}

/** The members and invitations that hold a role. */
export async function holdersOf(tx: Tx, merchantId: bigint, code: OwnRoleCode): Promise<Holding[]> {
  return (await listHoldings(tx, merchantId)).filter(({ roles }) => roles.includes(code));
}

/** Finds a role. Throws `not_found`. */
export function findIn(own: readonly StoredRole[], code: string): StoredRole {
  const role = own.find((candidate) => candidate.code === code);
  if (!role) throw new Refusal('not_found');
  return role;
}

/** Returns what a person sets of a role. */
export function textOf({ name, description, perms }: StoredRole): RoleText {
  return { name, description, perms };
}

/** Returns a role as the audit trail keeps it. */
export function recorded({ name, description, perms }: RoleText): AuditValues {
  return { name, description, permissions: perms };
}

/** Returns the grant of permissions by themselves, whatever role they come from. */
export function granting(perms: readonly Perm[]) {
  return { ...noGrant, perms };
}

/** Names of the roles that every merchant has, in all languages, and their codes: a merchant's own role must not be taken for one of them. */
const reserved = new Set(
  [
    ...sharedRoles,
    ...languages.flatMap((language) => Object.values(phrasesUnder(language, 'team.role'))),
  ].map(nameKey),
);

/** Throws `validation_failed` on `name` if another role has the name. */
export function assertNameFree(own: readonly StoredRole[], name: string, code?: OwnRoleCode): void {
  const key = nameKey(name);
  const isTaken =
    reserved.has(key) || own.some((other) => other.code !== code && nameKey(other.name) === key);
  if (isTaken) throw fieldRefusal('name', 'validation.roleNameTaken');
}

function permsByCode(own: readonly StoredRole[]): OwnPerms {
  return Object.fromEntries(own.map(({ code, perms }) => [code, perms]));
}

async function listHoldings(tx: Tx, merchantId: bigint): Promise<Holding[]> {
  const members = await listMembers(tx, merchantId);
  const invitations = await listInvitations(tx, merchantId);
  return [
    ...members.map(({ id, name, roles, state }) => {
      return { who: `user:${id}`, name, roles, isActive: state === 'active' };
    }),
    ...invitations.map(({ id, email, roles }) => {
      return { who: `invitation:${id}`, name: email, roles, isActive: false };
    }),
  ];
}

/**
 * Throws `own_membership` if the change concerns the actor, and `roles_exceed` if it concerns somebody who holds more: neither could be
 * changed by other roles.
 */
async function assertMayAffect(tx: Tx, by: TeamActor, affected: readonly Affected[]): Promise<void> {
  if (affected.some(({ who }) => who === `user:${by.userId}`)) throw new Refusal('own_membership');
  const all = affected.flatMap(({ before, after }) => [before, after]).reduce(bothGrants, noGrant);
  await by.assertMayGive(tx, all);
}

async function ask(
  tx: Tx,
  by: TeamActor,
  requester: string,
  { change, ruleKind }: { change: RoleChange; ruleKind: 'team' | null },
): Promise<string | undefined> {
  if (!(await hasRules(tx, by.merchantId, ruleKind))) return undefined;
  // One request for each role: the next one would not see what this one changes.
  if (await findTeamRequest(tx, by.merchantId, change)) throw new Refusal('request_waiting');
  const { before, after } = change;
  const requestNo = await askForChange(tx, by.merchantId, {
    kind: 'team',
    change,
    target: before.name,
    requester,
    ruleKind,
  });
  if (requestNo === undefined) return undefined;
  await by.audit(tx, {
    action: 'approval.team_asked',
    subject: requestNo,
    before: recorded(before),
    after: recorded(after),
  });
  return requestNo;
}

function losesDeciding({ isActive, before, after }: Affected): boolean {
  return isActive && before.perms.includes('approvals.decide') && !after.perms.includes('approvals.decide');
}

/** Whether somebody can read the access key from now on, and so counts as having asked for what is asked for with a key that an operator made. */
function gainsKey({ isActive, before, after }: Affected): boolean {
  return isActive && !before.perms.includes('access.manage') && after.perms.includes('access.manage');
}

/** Revokes the open invitations that those who sent them may no longer give: because they lose permissions, or the invitation gains some. */
async function revokeUncovered(
  tx: Tx,
  by: TeamActor,
  { code, affected }: { code: OwnRoleCode; affected: readonly Affected[] },
): Promise<void> {
  const senders = new Set(affected.map(({ who }) => who));
  const members = await listMembers(tx, by.merchantId);
  const over = (await listInvitations(tx, by.merchantId)).filter((invitation) => {
    const { inviterId, roles } = invitation;
    if (inviterId === null || !(roles.includes(code) || senders.has(`user:${inviterId}`))) return false;
    const sender = members.find(({ id }) => id === inviterId);
    return !(sender && mayInvite(sender, invitation));
  });
  await revokeInvitations(
    tx,
    by.merchantId,
    over.map(({ id }) => id),
    by.requester ?? null,
  );
  for (const { email } of over) await by.audit(tx, { action: 'invitation.revoke', subject: email });
}
