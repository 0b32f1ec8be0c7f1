import type { requestLogEndpoints } from '@hengfu/contract/request-log';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import type { RequestLogService } from './request-log.service.ts';
import { toDetail, toRow } from './request-log.view.ts';

/** Handles the console's calls for the request log. */
export function requestLogHandlers(service: RequestLogService): Handlers<typeof requestLogEndpoints> {
  return {
    list: async ({ caller: { home }, query }) => {
      const { page, unrecorded } = await service.list(home.merchantId, query);
      return { ...listReplyOf(page, home.currency, toRow), unrecorded };
    },
    get: async ({ caller: { home }, params }) => ({
      data: toDetail(await service.find(home.merchantId, params.request_id)),
    }),
  };
}
