import type * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { oneOrMore } from './lists.ts';
import { openListQuery, openListReply } from './open-api.ts';
import { batchStatuses, settlementRow } from './settlements.ts';

export const openSettlementQuery = openListQuery({ status: oneOrMore(batchStatuses) });
export type OpenSettlementQuery = z.output<typeof openSettlementQuery>;

export const openSettlementEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/openapi/v1/settlements/list',
    summary: 'Lists settlements, newest first.',
    access: 'signed',
    scope: 'collections',
    callLimit: 'lists',
    query: openSettlementQuery,
    status: 200,
    reply: openListReply(settlementRow),
    errors: [],
  }),
};
