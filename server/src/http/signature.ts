import { createHash, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Program } from '#caller.ts';
import type { Database } from '#db/database.ts';
import { Refusal } from '#refusal.ts';
import { type Secrets, sameText } from '#secrets.ts';
import { claimNonce, findAccessKey } from './access-key.sql.ts';

const timestampToleranceSeconds = 300;
const noncePattern = /^[\x21-\x7e]{8,64}$/;

/** What a signature is made over: method, path with query as sent, timestamp, nonce, SHA-256 of the raw body. */
export interface SignedParts {
  method: string;
  pathWithQuery: string;
  timestamp: string;
  nonce: string;
  body: Buffer;
}

/** Lower-case hex HMAC-SHA256 of the canonical text (docs/open-api.md). */
export function signatureOf(secret: string, parts: SignedParts): string {
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  const canonical = [parts.method, parts.pathWithQuery, parts.timestamp, parts.nonce, bodyHash].join('\n');
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

/**
 * Judges a signed call, in this order: headers present, timestamp, key and signature, address, suspension, nonce. The
 * nonce comes last, so that only a call that would pass uses it up, and it stays used whatever becomes of the call.
 */
export class SignatureGuard {
  readonly #database: Database;
  readonly #secrets: Secrets;

  constructor(database: Database, secrets: Secrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** The calling program; throws a Refusal of status 401 or 403. */
  async check(request: FastifyRequest, body: Buffer): Promise<Program> {
    const keyId = header(request, 'x-key');
    const timestamp = header(request, 'x-timestamp');
    const nonce = header(request, 'x-nonce');
    const signature = header(request, 'x-signature');
    if (!keyId || !timestamp || !nonce || !signature || !noncePattern.test(nonce))
      throw new Refusal('signature_missing');
    if (!isFresh(timestamp)) throw new Refusal('signature_expired');

    const key = await this.#database.asSystem((tx) => findAccessKey(tx, keyId), { relaxed: true });
    // An unknown key is compared too, so that the time taken does not tell which keys exist.
    const secret = key ? this.#secrets.decrypt(key.secretEncrypted) : 'no such key';
    const expected = signatureOf(secret, {
      method: request.method,
      pathWithQuery: request.url,
      timestamp,
      nonce,
      body,
    });
    if (!sameText(signature, expected) || !key) throw new Refusal('signature_invalid');
    if (!isAllowed(request.ip, key.allowedAddresses)) {
      throw new Refusal('address_not_allowed', { values: { address: request.ip } });
    }
    if (key.isSuspended) throw new Refusal('merchant_suspended');
    const isNew = await this.#database.asSystem((tx) => claimNonce(tx, keyId, nonce), { relaxed: true });
    if (!isNew) throw new Refusal('nonce_replayed');
    return { kind: 'program', keyId, home: key.home };
  }
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' && value.length <= 512 ? value : undefined;
}

function isFresh(timestamp: string): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= timestampToleranceSeconds;
}

/** Whether an address lies in one of the blocks; an IPv4 address written as IPv6 counts as the IPv4 one. */
export function isAllowed(address: string, blocks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return blocks.some((block) => {
    const [network, bits] = ipaddr.parseCIDR(block);
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
