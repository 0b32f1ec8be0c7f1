import type { approvalEndpoints } from '@hengfu/contract/approvals';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import type { ApprovalReading } from './approvals.reading.ts';
import type { ApprovalService } from './approvals.service.ts';
import { toDetail, toRow, toRules } from './approvals.view.ts';
import type { ApprovalRuleService } from './rules.service.ts';

/** Handles the console's calls about approvals. */
export function approvalHandlers(
  service: ApprovalService,
  reading: ApprovalReading,
  rules: ApprovalRuleService,
): Handlers<typeof approvalEndpoints> {
  return {
    list: async ({ caller, query }) =>
      listReplyOf(await reading.list(caller, query), caller.home.currency, (row) =>
        toRow(row, caller.userId),
      ),
    waiting: async ({ caller }) => ({ data: { count: await reading.waiting(caller) } }),
    get: async ({ caller, params }) => ({
      data: toDetail(await reading.history(caller, params.request_no), caller.userId),
    }),
    approve: async ({ caller, request, params, body }) => {
      await service.approve(caller, request, params.request_no, body);
      return { data: toRow(await reading.find(caller, params.request_no), caller.userId) };
    },
    approveMany: async ({ caller, request, body }) => {
      const proof = { password: body.payment_password, code: body.code };
      const outcomes = await service.approveMany(caller, request, body.request_nos, proof);
      return {
        data: outcomes.map(({ requestNo, refusal }) => ({
          request_no: requestNo,
          isApproved: refusal === undefined,
          reason: refusal?.code ?? null,
        })),
      };
    },
    refuse: async ({ caller, request, params, body }) => {
      await service.refuse(caller, request, params.request_no, body.reason);
      return { data: toRow(await reading.find(caller, params.request_no), caller.userId) };
    },
    withdraw: async ({ caller, request, params }) => {
      await service.withdraw(caller, request, params.request_no);
      return { data: toRow(await reading.find(caller, params.request_no), caller.userId) };
    },
    rules: async ({ caller: { home } }) => {
      const { people, waiting, version, ...stored } = await rules.read(home.merchantId);
      const names = new Map(people.map(({ id, name }) => [id, name]));
      return {
        data: {
          ...toRules(stored, home.currency, names),
          people: people.filter(({ isActive }) => isActive).map(({ id, name }) => ({ id, name })),
          waiting: waiting ?? null,
          version,
        },
      };
    },
    setRules: async ({ caller, request, body }) => ({
      data: { request_no: (await rules.set(caller, request, body)) ?? null },
    }),
  };
}
