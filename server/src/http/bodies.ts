import { isUtf8 } from 'node:buffer';
import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { inspectShape, shapeLimitsOf } from '#domain/request-shape.ts';
import { type Pace, paced } from './file-bodies.ts';
import { isWellEncoded, parsePairs } from './form-text.ts';
import { parseJsonInSlices } from './json-in-slices.ts';

/** Parses JSON; throws Refusal `bad_request` for invalid JSON, or for keys that would pollute a prototype. */
type ParseJson = (text: string) => unknown;

/** A large JSON body that is parsed only after its sender has been checked. */
class UnparsedBody {
  readonly #bytes: Buffer;
  readonly #parse: ParseJson;

  constructor(bytes: Buffer, parse: ParseJson) {
    this.#bytes = bytes;
    this.#parse = parse;
  }

  parse(endpoint: EndpointShape): Promise<unknown> {
    return parseJsonInSlices(this.#bytes, shapeLimitsOf(endpoint), this.#parse);
  }
}

/**
 * Makes an app read JSON and form bodies, and reject other types (415), oversized bodies (413) and bytes that
 * are not UTF-8 (400).
 */
export function readBodies(app: FastifyInstance): void {
  const parse = jsonParser(app);
  app.removeAllContentTypeParsers();
  const asBytes = { parseAs: 'buffer' } as const;
  app.addContentTypeParser('application/json', asBytes, async (_request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > requestLimits.bodyBytes) return new UnparsedBody(bytes, parse);
    refuseBadText(bytes);
    return parse(bytes.toString());
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    asBytes,
    async (_request: FastifyRequest, bytes: Buffer) => {
      refuseLargeForm(bytes);
      const text = bytes.toString();
      if (!isWellEncoded(text)) throw new Refusal('bad_request');
      return parsePairs(text);
    },
  );
  app.addContentTypeParser('multipart/form-data', asBytes, async (request: FastifyRequest, bytes: Buffer) => {
    refuseLargeForm(bytes);
    return readMultipart(request.headers['content-type'] ?? '', bytes);
  });
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Makes an app read every body as JSON, whatever its type, and keep its bytes, over which the signature is computed. Rejects bodies that are
 * not JSON: with 400 if they are declared as JSON, or else with 415.
 */
export function readRawBodies(app: FastifyInstance): void {
  const parse = jsonParser(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    try {
      refuseBadText(bytes);
      request.rawBody = bytes;
      return bytes.length === 0 ? undefined : parse(bytes.toString());
    } catch (error) {
      throw jsonType.test(request.headers['content-type'] ?? '')
        ? error
        : new Refusal('unsupported_media_type');
    }
  });
}

/**
 * Makes an app pass every body on as a stream, whatever its type, while its sender keeps the pace. The handler has to limit what it
 * reads. Returns the app.
 */
export function passBodiesOn(app: FastifyInstance, pace?: Pace): FastifyInstance {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, paced(body, pace)));
  return app;
}

/**
 * Returns the body for its endpoint's schema, with its shape inspected; an absent body counts as an empty
 * object. Throws Refusal `validation_failed`.
 */
export async function parsedBody(endpoint: EndpointShape, { body, query }: FastifyRequest): Promise<unknown> {
  if (body instanceof UnparsedBody) return body.parse(endpoint);
  const isMerged = endpoint.isQueryTakenAsBody && (typeof body === 'object' || body === undefined);
  const whole: unknown = isMerged ? { ...(query as object), ...body } : (body ?? {});
  inspectShape(whole, shapeLimitsOf(endpoint));
  return whole;
}

function jsonParser(app: FastifyInstance): ParseJson {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (text) => {
    let result: { value: unknown } | undefined;
    // The parser calls back synchronously and ignores the request.
    parse({} as FastifyRequest, text, (error: FastifyError | Error | null, value?: unknown) => {
      if (!error) result = { value };
    });
    if (!result) throw new Refusal('bad_request');
    return result.value;
  };
}

/** Rejects invalid UTF-8: replacement characters would make different bodies read the same. */
function refuseBadText(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Refusal('bad_request');
}

/** Rejects large forms: calls that accept a large body take it as JSON, which is parsed in slices. */
function refuseLargeForm(bytes: Buffer): void {
  if (bytes.length > requestLimits.bodyBytes) throw new Refusal('payload_too_large');
  refuseBadText(bytes);
}

/** Parses a form's fields; the last value of a name wins. Rejects files, which no form of ours accepts. */
async function readMultipart(contentType: string, bytes: Buffer): Promise<unknown> {
  const fields = new Map<string, unknown>();
  try {
    const body = new Uint8Array(bytes);
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    for (const [name, value] of form) fields.set(name, value);
  } catch {
    throw new Refusal('bad_request');
  }
  if ([...fields.values()].some((value) => typeof value !== 'string')) throw new Refusal('payload_too_large');
  return Object.fromEntries(fields);
}
