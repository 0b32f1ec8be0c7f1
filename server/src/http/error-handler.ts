import type { ErrorReply } from '@hengfu/contract/error-reply';
import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import type { Language } from '@hengfu/contract/session';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '#db/pool.ts';
import { isPhrase, languageOf, translate } from '#domain/language.ts';
import { Refusal } from '#domain/refusal.ts';

/** Codes that blame the caller. */
type CallersFault = {
  [C in ErrorCode]: `${(typeof errorStatus)[C]}` extends `4${string}` ? C : never;
}[ErrorCode];

/** What the HTTP layer itself refuses, by the status that it gives; whatever else blames the caller is a bad request. */
const codeOfStatus: Readonly<Partial<Record<number, CallersFault>>> = {
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

/** The code of an error that carries a status; total, so that no status of a caller's fault can become one of ours. */
function codeOf(status: number): CallersFault | 'internal' {
  const isCallersFault = status >= 400 && status < 500;
  return isCallersFault ? (codeOfStatus[status] ?? 'bad_request') : 'internal';
}

/** The one place where errors become replies: code, status, sentence in the caller's language. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
}

/** The reply to an error. */
export function sendError(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = asRefusal(error);
  if (refusal.code === 'internal') request.log.error({ err: error }, 'request failed');
  else if (refusal.code === 'unavailable') request.log.warn({ err: error }, 'database can’t work');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  if (refusal.limit !== undefined)
    reply.headers({ 'x-ratelimit-limit': refusal.limit, 'x-ratelimit-remaining': 0 });
  if (refusal.code === 'unavailable') reply.header('retry-after', 2);
  return reply.status(errorStatus[refusal.code]).send(replyTo(refusal, request));
}

/** The reply to a call that does not exist. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.status(404).send(replyTo(new Refusal('not_found'), request));
}

function asRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  // A caller that hangs up breaks a connection, too; what the HTTP server has a status for is no fault of the database.
  if (error.statusCode === undefined && isDatabaseAway(error)) return new Refusal('unavailable');
  return new Refusal(codeOf(error.statusCode ?? 500));
}

/** The body of an error reply. */
function replyTo(refusal: Refusal, request: FastifyRequest): ErrorReply {
  const language = languageOf(request.headers['accept-language']);
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
  // Callers name fields as they like: `toString` and `__proto__` are names as any.
  const errors = Map.groupBy(refusal.fields, ({ field }) => field);
  return Object.fromEntries(
    [...errors].map(([field, faults]) => [
      field,
      faults.map(({ phrase, values }) => translate(language, phrase, translated(values ?? {}, language))),
    ]),
  );
}

/** Values that name a phrase (a status, say) are translated before they are put in. */
function translated(values: Refusal['values'], language: Language): Refusal['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && isPhrase(value) ? translate(language, value) : value,
    ]),
  );
}
