import type { StaffRequest, staffRequestEndpoints } from '@hengfu/contract/staff/requests';
import type { StaffMember } from '#domain/caller.ts';
import { mayDecide } from '#domain/request-decisions.ts';
import type { Handlers } from '#http/bind.ts';
import { deciderOf, type ShownRequest, type StaffRequestService } from './staff-requests.service.ts';

/** Handles the calls about actions that need a second person. */
export function staffRequestHandlers(service: StaffRequestService): Handlers<typeof staffRequestEndpoints> {
  const show = async (id: bigint, member: StaffMember) => ({
    data: toRequest(await service.find(id), member),
  });
  return {
    list: async ({ caller, query }) => {
      const before = query.before === undefined ? undefined : BigInt(query.before);
      return { data: (await service.list(query.state, before)).map((request) => toRequest(request, caller)) };
    },
    get: ({ caller, params }) => show(BigInt(params.request_id), caller),
    approve: async ({ caller, request, params, body }) => {
      const id = BigInt(params.request_id);
      await service.approve(caller, request, id, body);
      return show(id, caller);
    },
    refuse: async ({ caller, request, params, body }) => {
      const id = BigInt(params.request_id);
      await service.refuse(caller, request, id, body.reason);
      return show(id, caller);
    },
    withdraw: async ({ caller: member, request, params }) => {
      const id = BigInt(params.request_id);
      await service.withdraw({ member, request }, id);
      return show(id, member);
    },
    alerts: async ({ caller }) => ({
      data: (await service.alerts(caller)).map(({ id, at, ...alert }) => ({
        ...alert,
        id: String(id),
        at: at.toISOString(),
      })),
    }),
    readAlert: async ({ caller, params }) => {
      await service.readAlert(caller, BigInt(params.alert_id));
      return undefined;
    },
  };
}

function toRequest(request: ShownRequest, member: StaffMember): StaffRequest {
  const { id, kind, state, subject, facts, reason, requestedBy, merchantCode, merchantName } = request;
  return {
    id: String(id),
    kind,
    state,
    merchant: merchantCode === null ? null : { code: merchantCode, name: merchantName ?? merchantCode },
    subject,
    facts,
    reason,
    requestedBy: request.requesterName ?? requestedBy,
    requestedByEmail: request.requesterEmail,
    isOwn: requestedBy === `staff:${member.staffId}`,
    mayDecide: state === 'waiting' && mayDecide(request, deciderOf(request, member)),
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    endedAt: request.endedAt?.toISOString() ?? null,
    endedBy: request.enderName ?? request.endedBy,
    endedByEmail: request.enderEmail,
    endReason: request.endReason,
  };
}
