import type { Database } from '#db/database.ts';
import type { InviteOwner } from '#features/merchants/office/merchant-office.service.ts';
import { InvitationService } from '#features/team/invitations.service.ts';
import { operatorActor } from '#features/team/team.actor.ts';

/** Invites owners of merchants on behalf of our staff, with the invitations that teams use. */
export function ownerInvitations(database: Database, appUrl: () => string): InviteOwner {
  const invitations = new InvitationService(database, appUrl);
  return async (by, merchantId, invitation) => {
    const actor = operatorActor(by, merchantId);
    const made =
      'email' in invitation
        ? await invitations.invite(actor, invitation.email, ['ROOT'])
        : await invitations.renew(actor, invitation.renewId);
    return { url: made.url, expiresAt: made.invitation.expiresAt };
  };
}
