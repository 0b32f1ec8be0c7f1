import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import { cashierPage } from '@hengfu/contract/cashier';
import { requestLimits } from '@hengfu/contract/endpoint';
import { payLinkPage } from '@hengfu/contract/pay-links';
import { payoutSlipPage } from '@hengfu/contract/payout-slips';
import { receiptPage } from '@hengfu/contract/receipts';
import { invitationPage } from '@hengfu/contract/team';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import helmet from 'helmet';
import type { Config } from '#config.ts';
import { Refusal } from '#domain/refusal.ts';
import { newRequestId } from '#domain/request-ids.ts';
import { afterReply } from '#observability/after-reply.ts';
import { traceCalls } from '#observability/tracing/calls.ts';
import { ClientAddresses } from '#security/client-address.ts';
import { randomText } from '#security/random-text.ts';
import { readBodies, readRawBodies } from './bodies.ts';
import { installErrorHandler } from './error-handler.ts';
import { isWellEncoded, parsePairs } from './form-text.ts';
import { timeCalls } from './observe-calls.ts';
import { drainRefused } from './refused-bodies.ts';
import { earlyHeaders, refuseBadUrl, refuseMalformed } from './refused-early.ts';
import { isCallPath, maskedCallPath, SecretPaths } from './secret-paths.ts';
import { requestTimeoutMs } from './time-limits.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns a URL without its query, with tokens masked, for logs. */
    maskedUrl(url: string): string;
    /** The public address, under which the console and its pages are reached. */
    publicUrl: () => string;
  }
  interface FastifyRequest {
    /** The nonce of this reply's scripts and styles. */
    cspNonce: string;
  }
  interface FastifyContextConfig {
    /** Parameters of the route that are bearer tokens. */
    secretParams?: readonly string[];
  }
}

const hstsSeconds = 63_072_000;
/** Beginning of the paths of calls; every other path is that of a page or a file. */
const callBeginning = /^\/(?:open)?api\//;

/**
 * Creates an HTTP server with what all routes share: headers, cookies, body limits, error replies. `publicUrl` is where errors of the
 * Open API are described.
 */
export async function createServer(
  config: Pick<Config, 'appUrl' | 'trustedProxies'>,
  log: FastifyBaseLogger,
  publicUrl: () => string = () => '',
): Promise<FastifyInstance> {
  const isSecure = config.appUrl?.startsWith('https:') ?? false;
  const early = earlyHeaders(isSecure ? `max-age=${hstsSeconds}; includeSubDomains` : undefined);
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: requestLimits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // Requests that arrive during draining are served normally.
    return503OnClosing: false,
    genReqId: newRequestId,
    frameworkErrors: refuseBadUrl(early),
    clientErrorHandler: refuseMalformed(early),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, querystringParser: parsePairs },
  });
  app.decorate('publicUrl', publicUrl);
  installErrorHandler(app);
  resolveClientAddresses(app, config);
  const fixed = fixedHeaders(isSecure);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(fixed);
    request.cspNonce = randomText(16, 'base64');
    reply.header('content-security-policy', contentSecurityPolicy(request.cspNonce, isSecure));
    reply.header('x-request-id', request.id);
    const isCall = callBeginning.test(request.url);
    // The router also decodes letters, and takes whole addresses: what goes by the path, such as the log of requests, would miss them.
    if (!isCall && callBeginning.test(request.routeOptions.url ?? '')) throw new Refusal('bad_request');
    if (!isCall) return;
    reply.header('cache-control', 'no-store');
    if (!isWellEncoded(request.url)) throw new Refusal('bad_request');
  });
  const secretPaths = new SecretPaths([
    payLinkPage,
    cashierPage,
    payoutSlipPage,
    receiptPage,
    invitationPage,
  ]);
  app.decorate('maskedUrl', (url) => {
    const path = secretPaths.masked(url);
    return isCallPath(path) ? maskedCallPath(path) : path;
  });
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.secretParams) secretPaths.add({ path: url, secretParams: config.secretParams });
  });
  afterReply(app, (request, reply) => {
    if (request.routeOptions.logLevel === 'silent') return;
    const { method, url } = request;
    // Queries can hold names and account numbers, so the log keeps only the path, with tokens masked.
    const path = app.maskedUrl(url);
    request.log.info(
      { method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
  });
  await app.register(cookie);
  timeCalls(app);
  traceCalls(app, (url) => app.maskedUrl(url));
  readBodies(app);
  drainRefused(app);
  app.addHook('onRequest', async (request, reply) => {
    if (!secretPaths.hasSecret(request.url)) return;
    // The URL alone grants access: no other site, cache or search engine may keep it.
    reply.headers({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
  });
  return app;
}

/**
 * Sets `request.ip` to the client's address as {@link ClientAddresses} determines it. Fastify's own
 * `trustProxy` stays off: it returns whatever `X-Forwarded-For` contains, even if that is not an address.
 */
function resolveClientAddresses(
  app: FastifyInstance,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): void {
  const addresses = new ClientAddresses(trustedProxies);
  app.server.on('connection', (socket) => {
    // Its caller has reset it already, and would leave no address in the audit trail. Nobody would get a reply.
    if (!addresses.remember(socket)) socket.destroy();
  });
  app.decorateRequest('ip', {
    getter(this: FastifyRequest) {
      return addresses.of(this.raw);
    },
  });
}

/** Allows only our own scripts and styles, marked with a nonce per page, and forbids framing. */
function contentSecurityPolicy(nonce: string, isSecure: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** Returns helmet's headers. They are the same for every reply, so they are collected once. */
function fixedHeaders(isSecure: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  const collect = helmet({
    contentSecurityPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isSecure ? { maxAge: hstsSeconds, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  });
  const reply = new ServerResponse(new IncomingMessage(new Socket()));
  collect(reply.req, reply, () => {});
  for (const [name, value] of Object.entries(reply.getHeaders())) headers[name] = String(value);
  return headers;
}

/** Registers routes whose JSON bodies keep their bytes, over which signatures are computed. */
export async function withRawBody(
  app: FastifyInstance,
  register: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    readRawBodies(scope);
    register(scope);
  });
}
