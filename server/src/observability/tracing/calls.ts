import type { FastifyInstance, FastifyRequest } from 'fastify';
import { afterReply } from '../after-reply.ts';
import { isTracing, record } from './traces.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The order that the call turned out to be about, while tracing. */
    tracedOrder: { orderNo: string; isOrigin: boolean } | undefined;
    /** When the request had been read, by `performance.now()`; also declared where it is set. */
    readAt: number;
  }
}

const call = /^\/(api|openapi)\//;
const firstServerError = 500;
/** Tolerated clock skew. If a reply's order is older than the call by more, an earlier call created it. */
const maxClockSkewMs = 2000;

/**
 * Records each call of an app: route, status, request ID, and the URL without secrets, as in the log. Does
 * nothing unless tracing is on when the app is built.
 */
export function traceCalls(app: FastifyInstance, shown: (url: string) => string): void {
  app.decorateRequest('tracedOrder', undefined);
  if (!isTracing()) return;
  afterReply(app, (request, reply) => {
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
      isFailed: reply.statusCode >= firstServerError,
    });
  });
}

/** Records which order a call is about. */
export function noteOrder(request: FastifyRequest, orderNo: string, isOrigin = false): void {
  if (isTracing()) request.tracedOrder = { orderNo, isOrigin };
}

/** Records which order a reply is about, if any. */
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
    Date.parse(createdAt) > Date.now() - (performance.now() - request.readAt) - maxClockSkewMs;
  noteOrder(request, orderNo, isOrigin);
}

const startOf = (elapsedMs: number) => Date.now() - elapsedMs;

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
