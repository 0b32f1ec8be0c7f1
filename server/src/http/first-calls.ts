import { accountEndpoints } from '@hengfu/contract/account';
import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const overview = [dashboardEndpoints.get, accountEndpoints.get];

/** What a page asks before it shows anything, by its address: calls without parameters. */
const firstCalls: Readonly<Record<string, readonly EndpointShape[]>> = {
  '/': overview,
  '/dashboard': overview,
  '/fund/fundWater': [accountEndpoints.get, accountEndpoints.breakdown],
};

/**
 * The answers that a page would ask for first, by the calls' paths: put into the page they spare it a round trip. They
 * are asked for as the browser would, with its own cookies; one that is refused is left for the page to ask.
 */
export async function firstReplies(
  app: FastifyInstance,
  request: FastifyRequest,
  path: string,
): Promise<Record<string, unknown>> {
  const { cookie = '' } = request.headers;
  const language = request.headers['accept-language'] ?? '';
  const answers = await Promise.all(
    (firstCalls[path] ?? []).map(async ({ path: url }) => {
      const answer = await app.inject({ url, headers: { cookie, 'accept-language': language } });
      return answer.statusCode === 200 ? [[url, answer.json()] as const] : [];
    }),
  );
  return Object.fromEntries(answers.flat());
}
