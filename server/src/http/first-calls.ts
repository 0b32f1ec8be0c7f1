import { accountEndpoints } from '@hengfu/contract/account';
import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { merchantHeader } from '@hengfu/contract/workplaces';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const overview = [dashboardEndpoints.get, accountEndpoints.get, dashboardEndpoints.agenda];

/** The calls, without parameters, that a page makes before it shows anything, by the page's path. */
const firstCalls: Readonly<Record<string, readonly EndpointShape[]>> = {
  '/': overview,
  '/dashboard': overview,
  '/fund/fundWater': [accountEndpoints.get, accountEndpoints.breakdown],
};

/**
 * Returns the replies to the calls that a page would make first, by the calls' paths: embedded in the page,
 * they save it a round trip. Each call is made with the browser's own cookies, for the page's merchant (`code`); a rejected one is
 * left for the page to make.
 */
export async function firstReplies(
  app: FastifyInstance,
  request: FastifyRequest,
  { path, code }: { path: string; code: string },
): Promise<Record<string, unknown>> {
  const { cookie = '' } = request.headers;
  const language = request.headers['accept-language'] ?? '';
  const headers = { cookie, 'accept-language': language, [merchantHeader]: code };
  const replies = await Promise.all(
    (firstCalls[path] ?? []).map(async ({ path: url }) => {
      const reply = await app.inject({ url, headers, remoteAddress: request.ip });
      return reply.statusCode === 200 ? [[url, reply.json()] as const] : [];
    }),
  );
  return Object.fromEntries(replies.flat());
}
