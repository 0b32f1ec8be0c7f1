import type { ErrorReply } from '@hengfu/contract/error-reply';
import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import type { Language } from '@hengfu/contract/languages';
import { problemType } from '@hengfu/contract/open-api';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '#db/pool.ts';
import { isPhrase, languageOf, translate } from '#domain/language.ts';
import { Refusal } from '#domain/refusal.ts';
import { getsProblems, problemOf } from './open-api/problem.ts';

/** Error codes with a 4xx status. */
type ClientErrorCode = {
  [C in ErrorCode]: `${(typeof errorStatus)[C]}` extends `4${string}` ? C : never;
}[ErrorCode];

/** Codes for errors that the HTTP layer raises, by their status; any other 4xx becomes `bad_request`. */
const codeOfStatus: Readonly<Partial<Record<number, ClientErrorCode>>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
  414: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  431: 'payload_too_large',
};

/** Returns the code for a status. Every 4xx has one, so no client error is reported as a server error. */
function codeOf(status: number): ClientErrorCode | 'internal' {
  const isClientError = status >= 400 && status < 500;
  return isClientError ? (codeOfStatus[status] ?? 'bad_request') : 'internal';
}

/** Installs the only place where errors become replies: code, status, message in the caller's language. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
}

/** Sends the reply to an error. */
export function sendError(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = asRefusal(error);
  if (errorStatus[refusal.code] === 500) request.log.error({ err: error }, 'request failed');
  else if (refusal.code === 'unavailable') request.log.warn({ err: error }, 'database unavailable');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  if (refusal.limit !== undefined)
    reply.headers({ 'x-ratelimit-limit': refusal.limit, 'x-ratelimit-remaining': 0 });
  if (refusal.code === 'unavailable') reply.header('retry-after', 2);
  return sendReply(refusal, request, reply);
}

/** Sends the reply to a call that does not exist. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendReply(new Refusal('not_found'), request, reply);
}

function sendReply(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(request.headers['accept-language']);
  const body = replyTo(refusal, request, language);
  reply.status(errorStatus[refusal.code]);
  if (!getsProblems(request.url)) return reply.send(body);
  const problem = problemOf(body, language, request.server.publicUrl());
  return reply.type(problemType).send(JSON.stringify(problem));
}

function asRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  // A client that disconnects breaks a connection too, but the HTTP server gives that error a status.
  if (error.statusCode === undefined && isDatabaseAway(error)) return new Refusal('unavailable');
  return new Refusal(codeOf(error.statusCode ?? 500));
}

/** Builds the body of an error reply. */
function replyTo(refusal: Refusal, request: FastifyRequest, language: Language): ErrorReply {
  const errors = fieldMessages(refusal, language);
  const base = {
    code: refusal.code,
    request_id: request.id,
    ...(refusal.details && { details: { ...refusal.details } }),
  };
  const first = Object.values(errors)[0]?.[0];
  if (first === undefined) {
    return {
      message: translate(language, `errors.${refusal.code}`, translated(refusal.values, language)),
      ...base,
    };
  }
  const count = refusal.faultCount - 1;
  const message = count > 0 ? translate(language, 'errors.validation_more', { first, count }) : first;
  return { message, ...base, errors };
}

function fieldMessages(refusal: Refusal, language: Language): Record<string, string[]> {
  // Grouped in a Map, since callers choose the names: `toString` and `__proto__` are possible.
  const errors = Map.groupBy(refusal.fields, ({ field }) => field);
  return Object.fromEntries(
    [...errors].map(([field, faults]) => [
      field,
      faults.map(({ phrase, values }) => translate(language, phrase, translated(values ?? {}, language))),
    ]),
  );
}

/** Translates values that name a phrase (a status, say) before they are filled in. */
function translated(values: Refusal['values'], language: Language): Refusal['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && isPhrase(value) ? translate(language, value) : value,
    ]),
  );
}
