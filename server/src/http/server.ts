import { randomBytes, randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import formBody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '#config.ts';
import { Refusal } from '#refusal.ts';
import { installErrorHandler } from './error-handler.ts';
import { earlyHeaders, refuseAddress, refuseConnection } from './refused-early.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Marks the scripts and styles of this reply as ours. */
    cspNonce: string;
  }
}

const bodyLimitBytes = 256 * 1024;
const requestTimeoutMs = 60_000;
const hstsSeconds = 63_072_000;

/** An HTTP server with what every route of the product has: headers, cookies, body limits, error replies. */
export async function createServer(config: Config, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const isSecure = config.appUrl?.startsWith('https:') ?? false;
  const early = earlyHeaders(isSecure ? `max-age=${hstsSeconds}; includeSubDomains` : undefined);
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // What comes while the server leaves is served like everything else.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    frameworkErrors: refuseAddress(early),
    clientErrorHandler: refuseConnection(early),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
  });
  installErrorHandler(app);
  app.addHook('onRequest', async (request, reply) => {
    request.cspNonce = randomBytes(16).toString('base64');
    reply.header('content-security-policy', contentSecurityPolicy(request.cspNonce, isSecure));
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/') || request.url.startsWith('/openapi/'))
      reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.logLevel === 'silent') return;
    const { method, url } = request;
    // The query can hold names and account numbers: the log keeps the path alone.
    const path = url.split('?')[0];
    request.log.info(
      { method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
  });
  await app.register(cookie);
  await app.register(formBody);
  await app.register(multipart, { limits: { files: 0, fields: 20, fieldSize: 4096 } });
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readForm(request);
  });
  await app.register(helmet, helmetOptions(isSecure));
  return app;
}

/** The fields of a form that was sent as multipart/form-data; throws `bad_request` where it is none, or ends early. */
async function readForm(request: FastifyRequest): Promise<object> {
  const fields = new Map<string, unknown>();
  try {
    for await (const part of request.parts())
      if (part.type === 'field') fields.set(part.fieldname, part.value);
  } catch (error) {
    // The reader of forms says of some of what it can't read that it is a fault of its own.
    if (error instanceof Error && 'statusCode' in error) throw error;
    throw new Refusal('bad_request');
  }
  return Object.fromEntries(fields);
}

/** Scripts and styles only of ours, marked with one nonce a page; nobody may frame us. */
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

function helmetOptions(isSecure: boolean) {
  return {
    contentSecurityPolicy: false as const,
    referrerPolicy: { policy: 'same-origin' as const },
    strictTransportSecurity: isSecure ? { maxAge: hstsSeconds, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' as const },
  };
}

/** A part of an app whose JSON bodies keep their bytes, because a signature is made over them. */
export async function withRawBody(
  app: FastifyInstance,
  register: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    const parse = scope.getDefaultJsonParser('error', 'error');
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      request.rawBody = body;
      if (body.length === 0) return done(null, undefined);
      return parse(request, body.toString('utf8'), done);
    });
    register(scope);
  });
}
