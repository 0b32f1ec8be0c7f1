import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { BankError } from './errors.ts';
import { isFresh, matchesSignature, signatureHeader, signRequest, timestampHeader } from './signature.ts';

/**
 * Requires a signature on every route of this scope (401 otherwise), including unknown paths. Bodies stay raw
 * bytes, because the signature covers those; routes read them with `readJson`.
 */
export function requireSignature(app: FastifyInstance, secret: string): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('preValidation', async (request) => verifySignature(request, secret));
  app.setNotFoundHandler(
    { preValidation: async (request: FastifyRequest) => verifySignature(request, secret) },
    () => {
      throw new BankError('not_found', 'There is no such endpoint.');
    },
  );
}

/** Parses a signed request's JSON body. Errors: malformed_body, and a ZodError for wrong fields. */
export function readJson<Schema extends z.ZodType>(
  request: FastifyRequest,
  schema: Schema,
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(rawBody(request).toString('utf8'));
  } catch {
    throw new BankError('malformed_body', 'The body is not JSON.');
  }
  return schema.parse(value);
}

function verifySignature(request: FastifyRequest, secret: string): void {
  const timestamp = request.headers[timestampHeader];
  const given = request.headers[signatureHeader];
  if (typeof timestamp === 'string' && typeof given === 'string' && isFresh(timestamp, Date.now())) {
    const { method, originalUrl: path } = request;
    if (matchesSignature(signRequest(secret, { method, path, timestamp, body: rawBody(request) }), given))
      return;
  }
  throw new BankError('invalid_signature', 'The signature or its timestamp is missing, wrong or too old.');
}

function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
