import { invitationEndpoints, teamEndpoints } from '@hengfu/contract/team';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { AcceptanceService } from './acceptance.service.ts';
import { InvitationService } from './invitations.service.ts';
import { teamApproval } from './team.approval.ts';
import { invitationHandlers, teamHandlers } from './team.routes.ts';
import { TeamService } from './team.service.ts';

/** The people of a merchant: members, roles, invitations. */
export function teamModule({ database, appUrl }: ModuleDeps) {
  const team = new TeamService(database);
  const invitations = new InvitationService(database, appUrl);
  const acceptance = new AcceptanceService(database);
  return {
    services: { team, invitations, teamApproval },
    endpoints: (guards) => [
      feature(teamEndpoints, teamHandlers(team, invitations)),
      feature(invitationEndpoints, invitationHandlers(acceptance, guards)),
    ],
    sweeps: [(tx) => invitations.sweep(tx)],
  } satisfies FeatureModule;
}
