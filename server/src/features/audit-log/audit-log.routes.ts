import type { auditEndpoints } from '@hengfu/contract/audit-log';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import type { AuditLogService } from './audit-log.service.ts';
import { toRow } from './audit-log.view.ts';

/** Handles the console's call for the audit log. */
export function auditLogHandlers(service: AuditLogService): Handlers<typeof auditEndpoints> {
  return {
    list: async ({ caller: { home }, query }) => {
      const { searchedTo, ...page } = await service.list(home.merchantId, query);
      const reply = listReplyOf(page, home.currency, (row) => toRow(row, home.currency));
      return { ...reply, searchedTo: searchedTo?.toISOString() };
    },
    get: async ({ caller: { home }, params }) => ({
      data: toRow(await service.find(home.merchantId, params.entry_no), home.currency),
    }),
  };
}
