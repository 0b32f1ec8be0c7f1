import type { ChangeEffects, TeamChange } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { revokeInvitations, setInvitationApproval } from './invitations.sql.ts';
import { changeMember, newRoles, reactivation } from './member-changes.ts';
import { approvedActor } from './team.actor.ts';

/** Approval of changes of the team: each is made on behalf of the person who asked, who must still be allowed to. */
export const teamApproval: ChangeEffects = {
  async approved(tx, { change, request_no, requested_by }) {
    const { action, id, before, after } = change as TeamChange;
    const by = approvedActor(tx.merchantId, requested_by, request_no);
    if (action === 'invite') {
      await by.assertMayGive(tx, after);
      // Revoked, or used up, since.
      if (!(await setInvitationApproval(tx, tx.merchantId, BigInt(id), 'approved')))
        throw new Refusal('conflict');
      tx.changed(tx.merchantId, 'team');
      return;
    }
    await changeMember(tx, by, BigInt(id), action === 'roles' ? newRoles(after, before) : reactivation);
  },
  async ended(tx, { change }, { state }) {
    const { action, id } = change as TeamChange;
    if (action !== 'invite') return;
    await setInvitationApproval(tx, tx.merchantId, BigInt(id), state);
    await revokeInvitations(tx, tx.merchantId, [BigInt(id)]);
    tx.changed(tx.merchantId, 'team');
  },
};
