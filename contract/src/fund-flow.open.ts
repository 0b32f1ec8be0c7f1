import type * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { fundFlowRow, fundFlowTypes } from './fund-flow.ts';
import { instant, oneOrMore } from './lists.ts';
import { openListQuery, openListReply } from './open-api.ts';

export const openEntryQuery = openListQuery({ type: oneOrMore(fundFlowTypes) });
export type OpenEntryQuery = z.output<typeof openEntryQuery>;

export const openEntryEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/openapi/v1/balance/entries/list',
    summary: 'Lists the changes of available funds, newest first, each with the balance after it.',
    access: 'signed',
    scope: 'balance',
    callLimit: 'lists',
    query: openEntryQuery,
    status: 200,
    reply: openListReply(fundFlowRow).extend({
      /** Entries before this instant are in the archive and not listed; null if the range has none there. */
      archived_before: instant.nullable(),
    }),
    errors: ['archive_unreadable'],
  }),
};
