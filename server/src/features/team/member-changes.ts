import {
  addsPaymentRights,
  bothGrants,
  covers,
  type Grant,
  noGrant,
  type RoleCode,
} from '@hengfu/contract/permissions';
import type { Tx } from '#db/database.ts';
import { lockAccount } from '#domain/accounts.sql.ts';
import {
  askForChange,
  findTeamRequest,
  hasRules,
  type ShownRole,
  type TeamChange,
} from '#domain/approvals.sql.ts';
import { ownRolesAmong, readGrant } from '#domain/own-roles.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { assertRulesStaffed } from '#domain/rule-staffing.sql.ts';
import { deleteSessionsOf } from '#http/session.sql.ts';
import { type InvitationRow, listInvitations, revokeInvitations } from './invitations.sql.ts';
import type { TeamActor, TeamAttempt } from './team.actor.ts';
import { findMember, hasOtherOwner, type Member, updateRoles, updateState } from './team.sql.ts';

/** A change of one member. */
export interface MemberChange {
  action: TeamAttempt['action'];
  /** The roles that it gives. */
  roles?: readonly RoleCode[];
  /** Whether there is anything to change. Throws `conflict` if the member is not as the actor has seen it. */
  isNeeded(member: Member): boolean;
  /** Set if the change may need approval: whether the member has the roles of before in effect. */
  asks?: { action: TeamChange['action']; isInEffect: boolean };
  /** Makes the change, and returns what the audit trail records of it. */
  make(tx: Tx, by: TeamActor, member: Member, after: Grant): Promise<Pick<TeamAttempt, 'before' | 'after'>>;
}

/**
 * Makes a change of a member, in a transaction that has locked the merchant's standing. Returns the number of the request if the
 * change gives a role and the merchant's rules ask for approval. Throws `not_found`, `own_membership`, `roles_exceed`,
 * `last_owner`, `approvers_missing`, `conflict`, `request_waiting`.
 */
export async function changeMember(
  tx: Tx,
  by: TeamActor,
  userId: bigint,
  change: MemberChange,
): Promise<string | undefined> {
  const { merchantId, requester } = by;
  const member = await findMember(tx, merchantId, userId);
  if (!member) throw new Refusal('not_found');
  if (userId === by.userId) throw new Refusal('own_membership');
  const after = change.roles ? await readGrant(tx, merchantId, change.roles) : member;
  await by.assertMayGive(tx, bothGrants(member, after));
  if (!change.isNeeded(member)) return undefined;
  const requestNo = requester && (await ask(tx, by, requester, { member, after, change }));
  if (requestNo) return requestNo;
  const made = await change.make(tx, by, member, after);
  await by.audit(tx, { action: change.action, subject: `user:${userId}`, ...made });
  tx.changed(merchantId, 'team');
  return undefined;
}

async function ask(
  tx: Tx,
  by: TeamActor,
  requester: string,
  { member, after, change: { asks } }: { member: Member; after: Grant; change: MemberChange },
): Promise<string | undefined> {
  if (!asks) return undefined;
  const before = asks.isInEffect ? member : noGrant;
  if (after.roles.every((role) => before.roles.includes(role))) return undefined;
  const ruleKind = ruleKindOf(before, after);
  if (!(await hasRules(tx, by.merchantId, ruleKind))) return undefined;
  const person = { id: String(member.id), person: member.name };
  const roles = { before: [...before.roles], after: [...after.roles] };
  const change: TeamChange = { action: asks.action, ...person, ...roles };
  // One request for each member: the next one would not see what this one changes.
  if (await findTeamRequest(tx, by.merchantId, change)) throw new Refusal('request_waiting');
  return askForTeam(tx, by, requester, { change, ruleKind });
}

/** The kind of rules that have to approve a change of the team; null if all rules have to, because it gives a payment right. */
export function ruleKindOf(before: Grant, after: Grant): 'team' | null {
  return addsPaymentRights(before, after) ? null : 'team';
}

/** Returns those of some roles that the merchant has made, as approvers are shown them. */
export async function shownRoles(
  tx: Tx,
  merchantId: bigint,
  given: readonly RoleCode[],
): Promise<ShownRole[]> {
  const own = await ownRolesAmong(tx, merchantId, given);
  return own.map(({ version: _, ...shown }) => shown);
}

/** Makes the request for a change of the team, if the merchant has rules that have to approve it. */
export async function askForTeam(
  tx: Tx,
  by: TeamActor,
  requester: string,
  { change, ruleKind }: { change: TeamChange; ruleKind: 'team' | null },
): Promise<string | undefined> {
  const own = await shownRoles(tx, by.merchantId, [...change.before, ...change.after]);
  const { person: target } = change;
  const asked = { kind: 'team', change: { ...change, own }, target, requester, ruleKind } as const;
  const requestNo = await askForChange(tx, by.merchantId, asked);
  if (requestNo === undefined) return undefined;
  const { before, after } = change;
  await by.audit(tx, {
    action: 'approval.team_asked',
    subject: requestNo,
    before: { roles: before },
    after: { roles: after },
  });
  return requestNo;
}

/** Gives a member other roles. `from`: the roles that the actor has seen. */
export function newRoles(roles: readonly RoleCode[], from?: readonly RoleCode[]): MemberChange {
  return {
    action: 'user.roles',
    roles,
    isNeeded(member) {
      if (from && from.join() !== member.roles.join()) throw new Refusal('conflict');
      return member.roles.join() !== roles.join();
    },
    asks: { action: 'roles', isInEffect: true },
    async make(tx, by, member, after) {
      if (!roles.includes('ROOT')) await assertOtherOwner(tx, by, member);
      await updateRoles(tx, by.merchantId, member.id, roles);
      await assertStillStaffed(tx, by, member);
      await revokeSentBy(tx, by, member.id, (invitation) => !mayInvite(after, invitation));
      return { before: { roles: member.roles }, after: { roles } };
    },
  };
}

/** Suspends a member: sessions end at once, and the invitations that the member sent are revoked. */
export const suspension: MemberChange = {
  action: 'user.suspend',
  isNeeded: ({ isSuspended }) => !isSuspended,
  async make(tx, by, member) {
    await assertOtherOwner(tx, by, member);
    await end(tx, by, member, 'suspended');
    return { before: { isSuspended: false }, after: { isSuspended: true } };
  },
};

/** Reactivates a member whom the merchant has suspended. */
export const reactivation: MemberChange = {
  action: 'user.reactivate',
  isNeeded: ({ isSuspended }) => isSuspended,
  asks: { action: 'reactivate', isInEffect: false },
  async make(tx, by, member) {
    await updateState(tx, by.merchantId, member.id, 'active');
    // A sign-in that was in progress during the suspension may have opened a session.
    await endSessions(tx, by, member.id);
    return { before: { isSuspended: true }, after: { isSuspended: false } };
  },
};

/** Reactivates a member whose roles are those that the approver has seen. */
export function reactivationWith(roles: readonly RoleCode[]): MemberChange {
  return {
    ...reactivation,
    isNeeded(member) {
      if (roles.join() !== member.roles.join()) throw new Refusal('conflict');
      return reactivation.isNeeded(member);
    },
  };
}

/** Removes a member. The records keep what the member did. */
export const removal: MemberChange = {
  action: 'user.remove',
  isNeeded: () => true,
  async make(tx, by, member) {
    await assertOtherOwner(tx, by, member);
    await end(tx, by, member, 'removed');
    await assertStillStaffed(tx, by, member);
    return { before: { roles: member.roles, state: member.state } };
  },
};

/** Throws `approvers_missing` if the change of an approver leaves too few for a rule. */
async function assertStillStaffed(
  tx: Tx,
  { merchantId }: TeamActor,
  { id, roles, perms, state }: Member,
): Promise<void> {
  if (state !== 'active' || !perms.includes('approvals.decide')) return;
  await assertRulesStaffed(tx, merchantId, { leaving: { id, roles } });
}

async function end(tx: Tx, by: TeamActor, { id }: Member, state: 'suspended' | 'removed'): Promise<void> {
  await updateState(tx, by.merchantId, id, state);
  await endSessions(tx, by, id);
  await revokeSentBy(tx, by, id, () => true);
}

/** Ends a member's sessions; a sign-in that is being completed comes before or after. */
async function endSessions(tx: Tx, { merchantId }: TeamActor, userId: bigint): Promise<void> {
  await lockAccount(tx, userId);
  await deleteSessionsOf(tx, userId, merchantId);
}

/** Throws `last_owner` if a member is the only active owner. */
async function assertOtherOwner(
  tx: Tx,
  { merchantId }: TeamActor,
  { id, roles, state }: Member,
): Promise<void> {
  if (!roles.includes('ROOT') || state !== 'active') return;
  if (!(await hasOtherOwner(tx, merchantId, id))) throw new Refusal('last_owner');
}

/** Whether somebody with a grant may send, and answer for, an invitation. */
export function mayInvite(by: Grant, invitation: Grant): boolean {
  return by.perms.includes('team.manage') && covers(by, invitation);
}

/** Revokes the open invitations that a member has sent and that match. */
export async function revokeSentBy(
  tx: Tx,
  by: TeamActor,
  userId: bigint,
  isOver: (invitation: InvitationRow) => boolean,
): Promise<void> {
  const open = await listInvitations(tx, by.merchantId);
  const over = open.filter((invitation) => invitation.inviterId === userId && isOver(invitation));
  await revokeInvitations(
    tx,
    by.merchantId,
    over.map(({ id }) => id),
    by.requester ?? null,
  );
  for (const { email } of over) await by.audit(tx, { action: 'invitation.revoke', subject: email });
}
