import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTracing, record } from './traces.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The order that the call turned out to be about, where calls are traced. */
    tracedOrder: { orderNo: string; isOrigin: boolean } | undefined;
    /** When the request had been read, by `performance.now()`; also declared where it is set. */
    readAt: number;
  }
}

const call = /^\/(api|openapi)\//;
const firstFault = 500;
/** A reply about an order that is older than the call tells of an order that an earlier call has made. */
const clocksDifferByMs = 2000;

/**
 * Records each call of an app: route, status and request id, and the address without what is secret in it, as in the log.
 * Where nothing is traced when the app is made, the app does nothing for it.
 */
export function traceCalls(app: FastifyInstance, shown: (url: string) => string): void {
  app.decorateRequest('tracedOrder', undefined);
  if (!isTracing()) return;
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url;
    if (route === undefined || !call.test(route) || request.routeOptions.logLevel === 'silent') return;
    record({
      name: `${request.method} ${route}`,
      kind: 'server',
      startedAtMs: startOf(reply.elapsedTime),
      orderNo: request.tracedOrder?.orderNo,
      isOrigin: request.tracedOrder?.isOrigin === true,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.path': shown(request.url),
        'http.response.status_code': reply.statusCode,
        'hengfu.request_id': request.id,
      },
      isFailed: reply.statusCode >= firstFault,
    });
  });
}

/** Notes the order that a call is about. */
export function noteOrder(request: FastifyRequest, orderNo: string, isOrigin = false): void {
  if (isTracing()) request.tracedOrder = { orderNo, isOrigin };
}

/** Notes the order that a reply is about, if it is about one. */
export function noteOrderOf(request: FastifyRequest, body: unknown): void {
  if (!isTracing()) return;
  const order = field(body, 'trade_no') === undefined ? field(body, 'data') : body;
  const orderNo = field(order, 'trade_no');
  if (typeof orderNo !== 'string') return;
  const createdAt = field(order, 'createdAt');
  const isOrigin =
    request.method === 'POST' &&
    field(request.params, 'trade_no') === undefined &&
    typeof createdAt === 'string' &&
    Date.parse(createdAt) > Date.now() - (performance.now() - request.readAt) - clocksDifferByMs;
  noteOrder(request, orderNo, isOrigin);
}

const startOf = (elapsedMs: number) => Date.now() - elapsedMs;

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
