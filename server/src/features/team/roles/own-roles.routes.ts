import type { ownRoleEndpoints } from '@hengfu/contract/own-roles';
import type { Handlers } from '#http/bind.ts';
import { personActor } from '../team.actor.ts';
import type { OwnRoleService } from './own-roles.service.ts';

/** Handles the calls that make, change and retire a merchant's own roles. */
export function ownRoleHandlers(roles: OwnRoleService): Handlers<typeof ownRoleEndpoints> {
  return {
    create: async ({ caller, request, body }) => ({
      data: await roles.create(personActor(caller, request), body),
    }),
    change: async ({ caller, request, params, body: { version, ...given } }) => {
      const requestNo = await roles.change(personActor(caller, request), params.role, given, version);
      return { data: { request_no: requestNo ?? null } };
    },
    retire: async ({ caller, request, params }) => {
      await roles.retire(personActor(caller, request), params.role);
      return undefined;
    },
  };
}
