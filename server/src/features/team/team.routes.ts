import type { Invitation, invitationEndpoints, TeamMember, teamEndpoints } from '@hengfu/contract/team';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { AcceptanceService } from './acceptance.service.ts';
import type { InvitationService } from './invitations.service.ts';
import { personActor } from './team.actor.ts';
import type { TeamService } from './team.service.ts';

/** Handles the calls about a merchant's members and invitations. */
export function teamHandlers(
  team: TeamService,
  invitations: InvitationService,
): Handlers<typeof teamEndpoints> {
  return {
    list: async ({ caller }) => {
      const found = await team.list(caller.home.merchantId);
      const members = found.members.map((member) => toMember(member, caller.userId));
      return { data: { members, invitations: found.invitations.map(toInvitation), roles: found.roles } };
    },
    invite: async ({ caller, request, body }) => {
      const made = await invitations.invite(personActor(caller, request), body.email, body.roles);
      return { data: { ...toInvitation(made.invitation), url: made.url } };
    },
    renew: async ({ caller, request, params }) => {
      const made = await invitations.renew(personActor(caller, request), BigInt(params.id));
      return { data: { ...toInvitation(made.invitation), url: made.url } };
    },
    revoke: async ({ caller, request, params }) => {
      await invitations.revoke(personActor(caller, request), BigInt(params.id));
      return undefined;
    },
    setRoles: async ({ caller, request, params, body }) => {
      const { roles, from } = body;
      const by = personActor(caller, request);
      const requestNo = await team.setRoles(by, BigInt(params.member_id), roles, from);
      return { data: { request_no: requestNo ?? null } };
    },
    suspend: async ({ caller, request, params }) => {
      await team.suspend(personActor(caller, request), BigInt(params.member_id));
      return undefined;
    },
    reactivate: async ({ caller, request, params }) => {
      const requestNo = await team.reactivate(personActor(caller, request), BigInt(params.member_id));
      return { data: { request_no: requestNo ?? null } };
    },
    remove: async ({ caller, request, params }) => {
      await team.remove(personActor(caller, request), BigInt(params.member_id));
      return undefined;
    },
  };
}

/** Handles the calls of an invited person, who has nothing but the link. */
export function invitationHandlers(
  acceptance: AcceptanceService,
  guards: Guards,
): Handlers<typeof invitationEndpoints> {
  return {
    get: async ({ params }) => {
      const { merchant, email, roles, ownRoles, invitedBy, expiresAt, account } = await acceptance.read(
        params.token,
      );
      return {
        data: {
          merchant,
          email,
          roles,
          ownRoles,
          invitedBy,
          expiresAt: expiresAt.toISOString(),
          hasAccount: account !== null,
        },
      };
    },
    accept: async ({ params, body, request, http }) => {
      const found = await guards.sessionPerson(http.request);
      const sessionId = found ? undefined : guards.cookies.create();
      const current = found?.level === 'password' ? undefined : found;
      const userId = await acceptance.accept(params.token, body, request, { sessionId, current });
      if (userId === undefined || sessionId === undefined) return { signed_in: false };
      guards.cookies.write(http.reply, sessionId);
      return { signed_in: true };
    },
  };
}

type Listed = Awaited<ReturnType<TeamService['list']>>;

function toMember(member: Listed['members'][number], userId: bigint): TeamMember {
  const { id, name, email, roles, state, hasTwoFactor, joinedAt, lastSignInAt } = member;
  return {
    id: String(id),
    name,
    email,
    roles,
    state,
    hasTwoFactor,
    joinedAt: joinedAt.toISOString(),
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
    isYou: id === userId,
  };
}

function toInvitation(row: Listed['invitations'][number]): Invitation {
  const { id, email, roles, invitedBy, createdAt, expiresAt, isExpired, approvalState } = row;
  return {
    id: String(id),
    email,
    roles,
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired,
    approvalState,
  };
}
