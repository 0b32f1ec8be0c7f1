import type { Readable } from 'node:stream';
import type { BodyOf, EndpointShape, ParamsOf, QueryOf } from '@hengfu/contract/endpoint';
import { replayedHeader } from '@hengfu/contract/idempotency';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Person, Program, RequestInfo, StaffMember } from '#domain/caller.ts';
import { languageOf } from '#domain/language.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { parseReply, validate, validateBody } from '#domain/validate.ts';
import { noteOrderOf } from '#observability/tracing/calls.ts';
import { parsedBody, passBodiesOn } from './bodies.ts';
import { type Caller, claimingNonce } from './call-nonce.ts';
import type { Door } from './door.ts';
import { sendLines } from './lines.ts';
import { admitSender } from './refused-bodies.ts';

/** A handler's argument: validated input and the caller. */
export type Call<E extends EndpointShape> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: RequestInfo;
  http: { request: FastifyRequest; reply: FastifyReply };
} & CallerOf<E>;

type CallerOf<E extends EndpointShape> = E['access'] extends 'session'
  ? { caller: Person }
  : E['access'] extends 'signed'
    ? { caller: Program }
    : E['access'] extends 'staff'
      ? { caller: StaffMember }
      : { caller: undefined };

/** A file sent as a reply. */
export interface FileReply {
  name: string;
  /** Media type. */
  type: string;
  bytes: number;
  content: Readable | Buffer;
}

type ReplyFrom<E extends EndpointShape> = E['isFile'] extends true
  ? FileReply
  : E['isStreamed'] extends true
    ? AsyncGenerator<z.input<NonNullable<E['reply']>>>
    : E['reply'] extends z.ZodType
      ? z.input<E['reply']>
      : undefined;

/** Handles the calls of one endpoint. */
export type Handler<E extends EndpointShape> = (call: Call<E>) => Promise<ReplyFrom<E>>;

/** A handler with a step before input validation, where it can reject a flood early. */
export interface GuardedHandler<E extends EndpointShape> {
  before(call: { body: unknown; request: RequestInfo; http: FastifyRequest }): Promise<void>;
  handle: Handler<E>;
}

/** A handler of a signed call whose transaction claims the call's nonce along with its work, which saves a transaction. */
export interface ClaimingHandler<E extends EndpointShape> {
  claimsNonce: true;
  handle: Handler<E>;
}

/** One handler per endpoint of a feature; a missing one fails to compile. */
export type Handlers<G extends Record<string, EndpointShape>> = {
  [K in keyof G]: Handler<G[K]> | GuardedHandler<G[K]> | ClaimingHandler<G[K]>;
};

type AnyHandler = Handler<EndpointShape> | GuardedHandler<EndpointShape> | ClaimingHandler<EndpointShape>;

/** A feature's endpoints, bound to their handlers. */
export interface Feature {
  readonly endpoints: readonly EndpointShape[];
  /** Registers its routes: guards, validation, handler, then reply validation. */
  bindTo(app: FastifyInstance, door: Door): void;
}

/** Joins a feature's endpoints with their handlers. */
export function feature<G extends Record<string, EndpointShape>>(
  endpoints: G,
  handlers: Handlers<G>,
): Feature {
  const names: (keyof G & string)[] = Object.keys(endpoints);
  return {
    endpoints: Object.values(endpoints),
    bindTo(app, door) {
      for (const name of names) {
        const endpoint: EndpointShape = endpoints[name] as G[keyof G & string];
        // Endpoint types are erased at run time: this is the only place that casts between them.
        bindOne(app, door, endpoint, handlers[name] as unknown as AnyHandler);
      }
    },
  };
}

function bindOne(app: FastifyInstance, door: Door, endpoint: EndpointShape, handler: AnyHandler): void {
  const handle = 'handle' in handler ? handler.handle : handler;
  const resultOf = async (caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if ('before' in handler)
      await handler.before({ body: request.body, request: requestInfo(request), http: request });
    const info = requestInfo(request);
    const call = {
      params: endpoint.params && readParams(endpoint.params, request.params),
      query: queryOf(endpoint, request),
      body: await bodyOf(endpoint, request),
      request: endpoint.isIdempotent ? { ...info, ...repeatableBy(request, reply) } : info,
      http: { request, reply },
      caller,
    };
    const work = (): Promise<unknown> => handle(call as unknown as Call<EndpointShape>);
    const isProgram = caller?.kind === 'program' && door.repeatedCalls;
    const answer = isProgram
      ? door.repeatedCalls.answer({ endpoint, request, reply, body: call.body }, caller, work)
      : work();
    return answer.catch(async (error) => {
      throw caller?.kind === 'program' && door.explain ? await door.explain(caller, request, error) : error;
    });
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const admitted = await door.admit(endpoint, request, { claimsNonce: 'claimsNonce' in handler });
    const result = await claimingNonce(admitted, (caller) => resultOf(caller, request, reply));
    reply.status(endpoint.status);
    if (endpoint.isFile) return sendFile(reply, result as FileReply, endpoint.isImmutable);
    if (!endpoint.reply) return reply.send();
    if (endpoint.isStreamed) return sendLines(reply, endpoint.reply, result as AsyncGenerator<unknown>);
    const body = await parseReply(endpoint.reply, result);
    noteOrderOf(request, body);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  };
  const route = {
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyLimitBytes !== undefined && {
      bodyLimit: endpoint.bodyLimitBytes,
      preParsing: admitSender(endpoint, endpoint.bodyLimitBytes, door),
    }),
    config: {
      ...(endpoint.secretParams && { secretParams: endpoint.secretParams }),
      ...(endpoint.isFileBody && { isFileBody: true }),
    },
    ...(endpoint.isSignIn && {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => door.signIns.check(request, reply),
    }),
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      door.largeBodies.track(request, () => answer(request, reply)),
  };
  if (endpoint.isFileBody) app.register(async (scope) => void passBodiesOn(scope).route(route));
  else app.route(route);
}

const nothing = z.strictObject({});

/** Reads the query. Authors of programs have to notice a parameter that nothing reads, so it is refused, also if the endpoint reads none. */
function queryOf({ access, query: schema }: EndpointShape, { query }: FastifyRequest): unknown {
  if (schema) return validate(schema, query);
  if (access === 'signed') validate(nothing, query);
  return undefined;
}

/** Reads the body, likewise. */
async function bodyOf(endpoint: EndpointShape, request: FastifyRequest): Promise<unknown> {
  if (endpoint.body) return validateBody(endpoint.body, await parsedBody(endpoint, request));
  if (endpoint.access === 'signed') validate(nothing, await parsedBody(endpoint, request));
  return undefined;
}

const keptForYears = 'public, max-age=31536000, immutable';

/** Sends a file as an attachment, never inline, so that scripts in it can't run in our origin. */
function sendFile(
  reply: FastifyReply,
  { name, type, bytes, content }: FileReply,
  isImmutable = false,
): FastifyReply {
  const plain = name.replaceAll(/[^\w .-]/g, '_');
  return reply
    .type(type)
    .header('content-length', bytes)
    .header(
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .header('cache-control', isImmutable ? keptForYears : 'no-store')
    .send(content);
}

/** Returns the idempotency key of a request, and marks the reply if it is an earlier one. */
function repeatableBy(
  request: FastifyRequest,
  reply: FastifyReply,
): Pick<RequestInfo, 'idempotencyKey' | 'onReplay'> {
  return {
    idempotencyKey: idempotencyKeyOf(request),
    onReplay: () => void reply.header(replayedHeader, 'true'),
  };
}

const maxKeyLength = 255;

/** Returns the `Idempotency-Key` header, if sent. Throws `validation_failed` if it is empty or too long. */
function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.trim() === '' || key.length > maxKeyLength)
    throw fieldRefusal('Idempotency-Key', 'validation.idempotencyKey');
  return key;
}

/** Validates path parameters. Throws `not_found` for malformed ones, as for unknown ones. */
function readParams(schema: z.ZodType, params: unknown): unknown {
  try {
    return validate(schema, params);
  } catch {
    throw new Refusal('not_found');
  }
}

/** Extracts what handlers may know about a request. */
function requestInfo(request: FastifyRequest): RequestInfo {
  return {
    id: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    language: languageOf(request.headers['accept-language']),
  };
}
