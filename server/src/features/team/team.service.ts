import { covers, permsOf, type Role } from '@hengfu/contract/permissions';
import type { Database, Tx } from '#db/database.ts';
import { lockAccount } from '#domain/accounts.sql.ts';
import { assertRulesStaffed } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { deleteSessionsOf } from '#http/session.sql.ts';
import { type InvitationRow, listInvitations, revokeInvitations } from './invitations.sql.ts';
import { changeTeam, type TeamActor, type TeamAttempt } from './team.actor.ts';
import { findMember, hasOtherOwner, listMembers, type Member, updateRoles, updateState } from './team.sql.ts';

const accessOf = ({ roles, state }: Pick<Member, 'roles' | 'state'>) => ({ roles, state });

/**
 * The members of a merchant's team. Nobody changes their own membership, and nobody changes one that holds more than their
 * own: only owners change owners, so that a merchant never loses its last one. Every change is audited.
 */
export class TeamService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the members, and the invitations that nobody has used yet. */
  list(merchantId: bigint): Promise<{ members: Member[]; invitations: InvitationRow[] }> {
    return this.#database.asSystem(async (tx) => ({
      members: await listMembers(tx, merchantId),
      invitations: await listInvitations(tx, merchantId),
    }));
  }

  /** Returns the ID of the member with an email address. Throws `not_found`. */
  async find(merchantId: bigint, given: string): Promise<bigint> {
    const email = given.trim().normalize('NFKC').toLowerCase();
    const { members } = await this.list(merchantId);
    const member = members.find((candidate) => candidate.email === email);
    if (!member) throw new Refusal('not_found');
    return member.id;
  }

  /**
   * Changes a member's roles, from the next call on. Invitations that the member could no longer send are revoked. Throws
   * `not_found`, `own_membership`, `roles_exceed`, `last_owner`; `approvers_missing` if an approval rule needs the member; `conflict` if the member does not have the roles `from`
   * any more.
   */
  setRoles(by: TeamActor, userId: bigint, roles: readonly Role[], from?: readonly Role[]): Promise<void> {
    return this.#change(by, userId, { action: 'user.roles', roles }, async (tx, member) => {
      if (from && from.join() !== member.roles.join()) throw new Refusal('conflict');
      if (member.roles.join() === roles.join()) return undefined;
      if (!roles.includes('ROOT')) await assertOtherOwner(tx, by, member);
      await updateRoles(tx, by.merchantId, userId, roles);
      await assertRulesStaffed(tx, by.merchantId);
      const maySend = (given: readonly Role[]) =>
        permsOf(roles).includes('team.manage') && covers(roles, given);
      await revokeSentBy(tx, by, userId, ({ roles: given }) => !maySend(given));
      return { before: { roles: member.roles }, after: { roles } };
    });
  }

  /** Suspends a member: sessions end at once, and the invitations that the member sent are revoked. Throws likewise. */
  suspend(by: TeamActor, userId: bigint): Promise<void> {
    return this.#change(by, userId, { action: 'user.suspend' }, async (tx, member) => {
      if (member.isSuspended) return undefined;
      await assertOtherOwner(tx, by, member);
      await this.#end(tx, by, member, 'suspended');
      return { before: { isSuspended: false }, after: { isSuspended: true } };
    });
  }

  /** Reactivates a member whom the merchant has suspended. Throws likewise. */
  reactivate(by: TeamActor, userId: bigint): Promise<void> {
    return this.#change(by, userId, { action: 'user.reactivate' }, async (tx, member) => {
      if (!member.isSuspended) return undefined;
      await updateState(tx, by.merchantId, userId, 'active');
      // A sign-in that was in progress during the suspension may have opened a session.
      await endSessions(tx, by, userId);
      return { before: { isSuspended: true }, after: { isSuspended: false } };
    });
  }

  /**
   * Removes a member. Whatever the member did stays in the records. Throws likewise, and `approvers_missing` if an approval rule needs
   * the member.
   */
  remove(by: TeamActor, userId: bigint): Promise<void> {
    return this.#change(by, userId, { action: 'user.remove' }, async (tx, member) => {
      await assertOtherOwner(tx, by, member);
      await this.#end(tx, by, member, 'removed');
      await assertRulesStaffed(tx, by.merchantId);
      return { before: accessOf(member) };
    });
  }

  async #end(tx: Tx, by: TeamActor, { id }: Member, state: 'suspended' | 'removed'): Promise<void> {
    await updateState(tx, by.merchantId, id, state);
    await endSessions(tx, by, id);
    await revokeSentBy(tx, by, id, () => true);
  }

  /** Runs a change of one member, and records it unless it changed nothing (`work` returns undefined). */
  #change(
    by: TeamActor,
    userId: bigint,
    { action, roles = [] }: { action: TeamAttempt['action']; roles?: readonly Role[] },
    work: (tx: Tx, member: Member) => Promise<Pick<TeamAttempt, 'before' | 'after'> | undefined>,
  ): Promise<void> {
    const subject = `user:${userId}`;
    return changeTeam(this.#database, by, { action, subject, roles }, async (tx) => {
      const member = await findMember(tx, by.merchantId, userId);
      if (!member) throw new Refusal('not_found');
      if (userId === by.userId) throw new Refusal('own_membership');
      await by.assertMayGive(tx, [...member.roles, ...roles]);
      const change = await work(tx, member);
      if (!change) return;
      await by.audit(tx, { action, subject, ...change });
      tx.changed(by.merchantId, 'team');
    });
  }
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

/** Revokes the open invitations that a member has sent and that match. */
async function revokeSentBy(
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
  );
  for (const { email } of over) await by.audit(tx, { action: 'invitation.revoke', subject: email });
}
