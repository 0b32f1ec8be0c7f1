import { isDeepStrictEqual } from 'node:util';
import { noGrant, type RoleCode } from '@hengfu/contract/permissions';
import { inOrder } from '@hengfu/contract/role-codes';
import { invitationsPerHour } from '@hengfu/contract/team';
import type { Database, Tx } from '#db/database.ts';
import { findTeamRequest, type TeamChange, withdrawRequest } from '#domain/approvals.sql.ts';
import { readGrant } from '#domain/own-roles.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { countTry, tooManyAttempts } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { freshToken, hashToken } from './invitation-token.ts';
import {
  countPlaces,
  type InvitationRow,
  insertInvitation,
  isMember,
  listInvitations,
  renewInvitation,
  revokeInvitations,
  revokeLongExpired,
  setInvitationApproval,
} from './invitations.sql.ts';
import { askForTeam, ruleKindOf } from './member-changes.ts';
import { changeTeam, type TeamActor } from './team.actor.ts';

const hourSeconds = 3600;

/** An invitation with its link, which nobody can read again. */
export interface Made {
  invitation: InvitationRow;
  url: string;
  /** The number of the request, if the link works only once it is approved. */
  requestNo: string | undefined;
}

/**
 * Invitations by email: a link that is valid for 72 hours and works once. Whoever sends or renews one answers for it: when that
 * person is suspended, removed, or loses the right to give its roles, it is revoked.
 */
export class InvitationService {
  readonly #database: Database;
  readonly #appUrl: () => string;

  constructor(database: Database, appUrl: () => string) {
    this.#database = database;
    this.#appUrl = appUrl;
  }

  /**
   * Invites a person. Throws `roles_exceed`, `quota_reached`, `too_many_attempts`; `validation_failed` on `email` if the person
   * is a member, or has an open invitation.
   */
  async invite(by: TeamActor, email: string, roles: readonly RoleCode[]): Promise<Made> {
    const { merchantId, userId: invitedBy } = by;
    return this.#makeLink(
      by,
      { action: 'invitation.create', subject: email, roles },
      async (tx, tokenHash) => {
        await by.assertMayGive(tx, await readGrant(tx, merchantId, roles));
        if (await isMember(tx, merchantId, email)) throw fieldRefusal('email', 'validation.memberExists');
        const open = await listInvitations(tx, merchantId);
        const expired = open.filter((other) => other.email === email && other.isExpired);
        await revokeInvitations(
          tx,
          merchantId,
          expired.map(({ id }) => id),
          by.requester ?? null,
        );
        await assertWithinQuota(tx, 'membersOfMerchant', merchantId, () => countPlaces(tx, merchantId));
        const id = await insertInvitation(tx, { merchantId, email, roles, invitedBy, tokenHash });
        if (id === undefined) throw fieldRefusal('email', 'validation.invitationExists');
        await by.audit(tx, { action: 'invitation.create', subject: email, after: { roles } });
        return id;
      },
    );
  }

  /**
   * Like {@link invite}, but an open invitation of the person is no fault: it gets a new link, or is replaced if it gives other roles. For
   * operators, who may have lost the reply that showed the link.
   */
  async inviteAgain(by: TeamActor, email: string, roles: readonly RoleCode[]): Promise<Made> {
    const all = await this.#database.asSystemFor(by.merchantId, (tx) => listInvitations(tx, by.merchantId));
    const open = all.find((other) => other.email === email && !other.isExpired);
    if (!open) return this.invite(by, email, roles);
    if (isDeepStrictEqual(inOrder(open.roles), inOrder(roles))) return this.renew(by, open.id);
    await this.revoke(by, open.id);
    return this.invite(by, email, roles);
  }

  /**
   * Replaces the link of an open or expired invitation. Throws `not_found`, `roles_exceed`, `too_many_attempts`;
   * `validation_failed` on `email` if the person is a member by now.
   */
  async renew(by: TeamActor, id: bigint): Promise<Made> {
    const { merchantId, userId: invitedBy } = by;
    const attempt = { action: 'invitation.renew', subject: `invitation:${id}` } as const;
    return this.#makeLink(by, attempt, async (tx, tokenHash) => {
      const found = await findOpen(tx, merchantId, id);
      const { email } = found;
      await by.assertMayGive(tx, found);
      // A member may have taken the address since.
      if (await isMember(tx, merchantId, email)) throw fieldRefusal('email', 'validation.memberExists');
      await renewInvitation(tx, { merchantId, invitedBy, tokenHash }, id);
      await by.audit(tx, { action: 'invitation.renew', subject: email });
      return id;
    });
  }

  /** Revokes an invitation. Throws `not_found`, `roles_exceed`. */
  revoke(by: TeamActor, id: bigint): Promise<void> {
    const attempt = { action: 'invitation.revoke', subject: `invitation:${id}` } as const;
    return changeTeam(this.#database, by, attempt, async (tx) => {
      const found = await findOpen(tx, by.merchantId, id);
      const { email } = found;
      await by.assertMayGive(tx, found);
      await revokeInvitations(tx, by.merchantId, [id], by.requester ?? null);
      await by.audit(tx, { action: 'invitation.revoke', subject: email });
      tx.changed(by.merchantId, 'team');
    });
  }

  /** Revokes invitations that expired long ago, so that the list of a team stays short. */
  sweep(tx: Tx): Promise<void> {
    return revokeLongExpired(tx);
  }

  async #makeLink(
    by: TeamActor,
    attempt: Parameters<typeof changeTeam>[2],
    work: (tx: Tx, tokenHash: Buffer) => Promise<bigint>,
  ): Promise<Made> {
    const token = freshToken(by.merchantId);
    return changeTeam(this.#database, by, attempt, async (tx) => {
      const id = await work(tx, hashToken(token));
      const requestNo = await askFor(tx, by, await findOpen(tx, by.merchantId, id));
      await countLink(tx, by);
      tx.changed(by.merchantId, 'team');
      const invitation = await findOpen(tx, by.merchantId, id);
      return { invitation, url: `${this.#appUrl()}/invitation/${token}`, requestNo };
    });
  }
}

/**
 * Asks for approval of an invitation, if a rule asks for it. A new link asks anew: whoever makes it could use it, and is the one
 * who asks from now on.
 */
async function askFor(tx: Tx, by: TeamActor, invitation: InvitationRow): Promise<string | undefined> {
  const { id, email, roles, approvalState } = invitation;
  const { merchantId, requester } = by;
  if (approvalState !== null) await endRequestOf(tx, by, invitation);
  if (requester === undefined) {
    if (approvalState !== null) await setInvitationApproval(tx, merchantId, id, 'approved');
    return undefined;
  }
  const change: TeamChange = { action: 'invite', id: String(id), person: email, before: [], after: roles };
  const requestNo = await askForTeam(tx, by, requester, {
    change,
    ruleKind: ruleKindOf(noGrant, invitation),
  });
  if (requestNo !== undefined) await setInvitationApproval(tx, merchantId, id, 'waiting');
  else if (approvalState !== null) await setInvitationApproval(tx, merchantId, id, 'approved');
  return requestNo;
}

/** Withdraws the request of an invitation whose link no longer works. */
async function endRequestOf(tx: Tx, by: TeamActor, { id }: Pick<InvitationRow, 'id'>): Promise<void> {
  const requestNo = await findTeamRequest(tx, by.merchantId, { action: 'invite', id: String(id) });
  if (requestNo !== undefined) await withdrawRequest(tx, by.merchantId, requestNo, by.requester ?? null);
}

/** Counts a link that is being made. Throws `too_many_attempts` beyond the limit of its merchant. */
async function countLink(tx: Tx, { merchantId, userId }: TeamActor): Promise<void> {
  if (userId === null) return;
  const { failures, waitSeconds } = await countTry(tx, tries.invitations(merchantId), hourSeconds);
  if (failures > invitationsPerHour) throw tooManyAttempts(Math.max(waitSeconds, 1), invitationsPerHour);
}

/** Finds an open or expired invitation of a team. Throws `not_found`. */
async function findOpen(tx: Tx, merchantId: bigint, id: bigint): Promise<InvitationRow> {
  const found = (await listInvitations(tx, merchantId)).find((invitation) => invitation.id === id);
  if (!found) throw new Refusal('not_found');
  return found;
}
