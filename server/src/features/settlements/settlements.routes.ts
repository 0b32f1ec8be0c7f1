import type { settlementEndpoints } from '@hengfu/contract/settlements';
import type { openSettlementEndpoints } from '@hengfu/contract/settlements.open';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { openListOf } from '#http/open-api/list-reply.ts';
import type { SettlementService } from './settlements.service.ts';
import { toLine, toRow } from './settlements.view.ts';

/** Handles the console's calls about settlements. */
export function settlementHandlers(service: SettlementService): Handlers<typeof settlementEndpoints> {
  return {
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await service.list(home.merchantId, query), home.currency, toRow),
    get: async ({ caller: { home }, params }) => ({
      data: toRow(await service.find(home.merchantId, params.settlement_no)),
    }),
    lines: async ({ caller: { home }, params, query }) =>
      listReplyOf(await service.lines(home.merchantId, params.settlement_no, query), home.currency, toLine),
  };
}

/** Handles the Open API's calls about settlements. */
export function openSettlementHandlers(service: SettlementService): Handlers<typeof openSettlementEndpoints> {
  return {
    list: async ({ caller, query }) =>
      openListOf(await service.openList(caller.home.merchantId, query), toRow),
  };
}
