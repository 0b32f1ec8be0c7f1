import type { OwnRole } from '@hengfu/contract/own-roles';
import { type Grant, grantOf, type RoleCode } from '@hengfu/contract/permissions';
import { teamEndpoints } from '@hengfu/contract/team';
import { useQuery } from '@tanstack/react-query';
import { reading } from '../../platform/reading.ts';

/** The members of the merchant's team, its open invitations, and the roles that the merchant has made. */
export const teamOptions = reading(teamEndpoints.list);

const none: readonly OwnRole[] = [];

/** The roles that the merchant has made, as far as the team has been read. */
export function useOwnRoles(): readonly OwnRole[] {
  return useQuery(teamOptions).data?.roles ?? none;
}

/** Returns what roles grant, given the merchant's own roles. */
export function grantBy(own: readonly OwnRole[], held: readonly RoleCode[]): Grant {
  return grantOf(held, Object.fromEntries(own.map(({ code, perms }) => [code, perms])));
}
