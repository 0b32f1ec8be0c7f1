import type { RoleCode } from '@hengfu/contract/permissions';
import type { Database } from '#db/database.ts';
import { listOwnRoles, type StoredRole } from '#domain/own-roles.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { type InvitationRow, listInvitations } from './invitations.sql.ts';
import {
  changeMember,
  type MemberChange,
  newRoles,
  reactivation,
  removal,
  suspension,
} from './member-changes.ts';
import { changeTeam, type TeamActor } from './team.actor.ts';
import { listMembers, type Member } from './team.sql.ts';

/**
 * The members of a merchant's team. Nobody changes their own membership, and nobody changes one that holds more than their
 * own: only owners change owners, so that a merchant never loses its last one. Every change is audited.
 */
export class TeamService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the members, the invitations that nobody has used yet, and the roles that the merchant has made. */
  list(
    merchantId: bigint,
  ): Promise<{ members: Member[]; invitations: InvitationRow[]; roles: StoredRole[] }> {
    return this.#database.asSystem(async (tx) => ({
      members: await listMembers(tx, merchantId),
      invitations: await listInvitations(tx, merchantId),
      roles: await listOwnRoles(tx, merchantId),
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
   * Changes a member's roles, from the next call on. Invitations that the member could no longer send are revoked. Returns the number
   * of the request if the change gives a payment right, and the merchant's rules ask for approval. Throws `not_found`,
   * `own_membership`, `roles_exceed`, `last_owner`; `approvers_missing` if an approval rule needs the member; `conflict` if the
   * member does not have the roles `from` any more.
   */
  setRoles(
    by: TeamActor,
    userId: bigint,
    roles: readonly RoleCode[],
    from?: readonly RoleCode[],
  ): Promise<string | undefined> {
    return this.#change(by, userId, newRoles(roles, from));
  }

  /** Suspends a member: sessions end at once, and the invitations that the member sent are revoked. Throws likewise. */
  async suspend(by: TeamActor, userId: bigint): Promise<void> {
    await this.#change(by, userId, suspension);
  }

  /** Reactivates a member whom the merchant has suspended. Returns the number of the request, and throws, likewise. */
  reactivate(by: TeamActor, userId: bigint): Promise<string | undefined> {
    return this.#change(by, userId, reactivation);
  }

  /** Removes a member. The records keep what the member did. Throws likewise. */
  async remove(by: TeamActor, userId: bigint): Promise<void> {
    await this.#change(by, userId, removal);
  }

  #change(by: TeamActor, userId: bigint, change: MemberChange): Promise<string | undefined> {
    const { action, roles = [] } = change;
    const attempt = { action, subject: `user:${userId}`, roles };
    return changeTeam(this.#database, by, attempt, (tx) => changeMember(tx, by, userId, change));
  }
}
