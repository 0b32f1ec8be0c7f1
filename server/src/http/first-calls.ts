import { accountEndpoints } from '@hengfu/contract/account';
import { approvalEndpoints } from '@hengfu/contract/approvals';
import { auditEndpoints } from '@hengfu/contract/audit-log';
import { callbackMessageEndpoints } from '@hengfu/contract/callback-messages';
import { collectionEndpoints } from '@hengfu/contract/collections';
import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { exportEndpoints } from '@hengfu/contract/exports';
import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { paymentLinkEndpoints } from '@hengfu/contract/payment-links';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { refundEndpoints } from '@hengfu/contract/refunds';
import { requestLogEndpoints } from '@hengfu/contract/request-log';
import { settlementEndpoints } from '@hengfu/contract/settlements';
import { topupEndpoints } from '@hengfu/contract/topups';
import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import { merchantHeader } from '@hengfu/contract/workplaces';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { within } from '#domain/within.ts';

const overview = [dashboardEndpoints.get, accountEndpoints.get, dashboardEndpoints.agenda];

/** The calls, without parameters, that a page makes before it shows anything, by the page's path. */
const firstCalls: Readonly<Record<string, readonly EndpointShape[]>> = {
  '/': overview,
  '/dashboard': overview,
  '/fund/fundWater': [accountEndpoints.get, accountEndpoints.breakdown],
};

/** The list that a page shows, by the page's path. */
const lists: Readonly<Record<string, EndpointShape>> = {
  '/approvals': approvalEndpoints.list,
  '/behalfPay/transfers': payoutEndpoints.list,
  '/collection/Settlements': settlementEndpoints.list,
  '/collection/links': paymentLinkEndpoints.list,
  '/collection/payments': collectionEndpoints.list,
  '/collection/refunds': refundEndpoints.list,
  '/developers/callbacks': callbackMessageEndpoints.list,
  '/developers/requests': requestLogEndpoints.list,
  '/fund/fundWater': fundFlowEndpoints.list,
  '/lineExport': exportEndpoints.list,
  '/recharge/record': topupEndpoints.list,
  '/setting/auditLog': auditEndpoints.list,
  '/withdrawal/record': withdrawalEndpoints.list,
};

/** A page waits no longer for its data: it arrives without, and asks for it itself, so that it can show that it waits. */
const patienceMs = 400;

/** Replies by the path of the call that they answer. */
export interface FirstReplies {
  replies: Readonly<Record<string, unknown>>;
  /** First pages of lists, without filters. */
  lists: Readonly<Record<string, unknown>>;
}

export const noReplies: FirstReplies = { replies: {}, lists: {} };

/**
 * Returns the replies to the calls that a page would make first: embedded in the page, they save it a round trip, and a rendering
 * without data. Each call is made with the browser's own cookies, for the page's merchant (`code`); a rejected one, or
 * one that takes long, is left for the page to make. A page whose address has parameters asks for its rows itself, because it alone knows which are valid.
 */
export async function firstReplies(
  app: FastifyInstance,
  request: FastifyRequest,
  { path, code }: { path: string; code: string },
): Promise<FirstReplies> {
  const { cookie = '' } = request.headers;
  const language = request.headers['accept-language'] ?? '';
  const headers = { cookie, 'accept-language': language, [merchantHeader]: code };
  const repliesTo = async (endpoints: readonly EndpointShape[]) => {
    const found = await Promise.all(
      endpoints.map(async ({ path: url }) => {
        const asked = app.inject({ url, headers, remoteAddress: request.ip });
        const reply = await within(patienceMs, asked).catch(() => undefined);
        return reply?.statusCode === 200 ? [[url, reply.json<unknown>()] as const] : [];
      }),
    );
    return Object.fromEntries(found.flat());
  };
  const list = request.url.includes('?') ? undefined : lists[path];
  const [replies, rows] = await Promise.all([
    repliesTo(firstCalls[path] ?? []),
    repliesTo(list === undefined ? [] : [list]),
  ]);
  return { replies, lists: rows };
}
