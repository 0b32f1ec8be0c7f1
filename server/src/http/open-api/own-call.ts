import { randomBytes } from 'node:crypto';
import { idempotencyHeader } from '@hengfu/contract/idempotency';
import type { Language } from '@hengfu/contract/languages';
import { latestVersion, versionHeader } from '@hengfu/contract/open-api';
import type { TestCall } from '@hengfu/contract/test-calls';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { canonicalLines, signatureOf } from '../signature.ts';

/** A call to sign and to make. */
export interface OwnCall {
  keyId: string;
  secret: string;
  method: 'GET' | 'POST';
  /** With the query, as it is sent. */
  path: string;
  idempotencyKey?: string | undefined;
  body?: string | undefined;
  /** The address from which it is made: the caller's own, which the IP whitelist has to allow. */
  address: string;
  language: Language;
}

/** Headers of a reply that say something about the call. The others concern browsers. */
const shownHeaders = [
  'content-type',
  'content-length',
  'x-request-id',
  'hengfu-version',
  'ratelimit-policy',
  'ratelimit',
  'idempotency-replayed',
  'retry-after',
  'deprecation',
  'sunset',
];

/**
 * Makes a signed call to this process without a connection: it is routed, checked and logged as one from outside, and can reach nothing
 * but our own routes.
 */
export async function callOurselves(app: FastifyInstance, call: OwnCall): Promise<TestCall> {
  const { signed, headers } = sign(call);
  const beganAt = performance.now();
  const reply = await app
    .inject({
      method: call.method,
      url: call.path,
      headers: { ...headers, 'accept-language': call.language },
      remoteAddress: call.address,
      ...(call.body !== undefined && { payload: call.body }),
    })
    .catch((error: Error & { code?: string }) => {
      // Fastify makes no such call while the process shuts down; another one will.
      throw error.code === 'FST_ERR_REOPENED_CLOSE_SERVER' ? new Refusal('unavailable') : error;
    });
  const shown = shownHeaders.flatMap((name) => {
    const value = reply.headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return {
    signed,
    headers,
    reply: {
      status: reply.statusCode,
      durationMs: Math.round(performance.now() - beganAt),
      headers: Object.fromEntries(shown),
      body: reply.body,
      request_id: String(reply.headers['x-request-id'] ?? ''),
    },
  };
}

/** Signs a call as a merchant's system does (docs/open-api.md). */
function sign({ keyId, secret, method, path, idempotencyKey, body }: OwnCall) {
  const parts = {
    method,
    pathWithQuery: path,
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: randomBytes(16).toString('hex'),
    body: Buffer.from(body ?? ''),
  };
  const headers: Record<string, string> = {
    'X-Key': keyId,
    'X-Timestamp': parts.timestamp,
    'X-Nonce': parts.nonce,
    'X-Signature': signatureOf(secret, parts),
    [versionHeader]: latestVersion,
    ...(idempotencyKey !== undefined && { [idempotencyHeader]: idempotencyKey }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  return { signed: canonicalLines(parts), headers };
}
