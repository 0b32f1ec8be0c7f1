import { ownRoleEndpoints } from '@hengfu/contract/own-roles';
import { invitationEndpoints, teamEndpoints } from '@hengfu/contract/team';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { AcceptanceService } from './acceptance.service.ts';
import { InvitationService } from './invitations.service.ts';
import { ownRoleHandlers } from './roles/own-roles.routes.ts';
import { OwnRoleService } from './roles/own-roles.service.ts';
import { teamApproval } from './team.approval.ts';
import { invitationHandlers, teamHandlers } from './team.routes.ts';
import { TeamService } from './team.service.ts';

/** The people of a merchant: members, invitations, and the roles that the merchant has made. */
export function teamModule({ database, appUrl }: ModuleDeps) {
  const team = new TeamService(database);
  const invitations = new InvitationService(database, appUrl);
  const ownRoles = new OwnRoleService(database);
  const acceptance = new AcceptanceService(database);
  return {
    services: { team, ownRoles, invitations, teamApproval },
    endpoints: (guards) => [
      feature(teamEndpoints, teamHandlers(team, invitations)),
      feature(ownRoleEndpoints, ownRoleHandlers(ownRoles)),
      feature(invitationEndpoints, invitationHandlers(acceptance, guards)),
    ],
    sweeps: [(tx) => invitations.sweep(tx)],
  } satisfies FeatureModule;
}
