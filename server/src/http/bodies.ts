import { isUtf8 } from 'node:buffer';
import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { inspectShape, shapeLimitsOf } from '#domain/request-shape.ts';
import { isWellEncoded, parsePairs } from './form-text.ts';
import { parseJsonInSlices } from './json-in-slices.ts';

/** Parses JSON; throws Refusal `bad_request` for what is none, or what would reach a prototype. */
type ParseJson = (text: string) => unknown;

/** A large body of JSON that nobody has parsed yet: first it is judged who sent it. */
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

/** Has an app read bodies of JSON and of forms, and refuse others (415), what is too large (413) and what is no UTF-8 (400). */
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

/** Has an app read every body as JSON and keep its bytes, because a signature is made over them. */
export function readRawBodies(app: FastifyInstance): void {
  const parse = jsonParser(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    refuseBadText(bytes);
    request.rawBody = bytes;
    return bytes.length === 0 ? undefined : parse(bytes.toString());
  });
}

/**
 * The body as its endpoint's schema may read it, its shape inspected; an absent one is an empty one. Throws Refusal
 * `validation_failed`.
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
    // The parser calls back at once; it makes nothing of the request.
    parse({} as FastifyRequest, text, (error: FastifyError | Error | null, value?: unknown) => {
      if (!error) result = { value };
    });
    if (!result) throw new Refusal('bad_request');
    return result.value;
  };
}

/** Replacing bytes that are no text would let two different bodies read the same. */
function refuseBadText(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Refusal('bad_request');
}

/** Forms are for signing in and the like; what takes a large body takes JSON, which is parsed in slices. */
function refuseLargeForm(bytes: Buffer): void {
  if (bytes.length > requestLimits.bodyBytes) throw new Refusal('payload_too_large');
  refuseBadText(bytes);
}

/** The fields of a form; the last of a name counts. A file is refused: no form of ours takes one. */
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
