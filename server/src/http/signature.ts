import { createHash, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import { MicroBatcher } from '#db/micro-batcher.ts';
import type { Program } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { isInBlocks, parseAddress } from '#security/addresses.ts';
import { type Secrets, sameText } from '#security/secrets.ts';
import { claimNonces, type NonceAnswer, type NonceClaim } from './access-key.sql.ts';
import { AccessKeys, type OpenKey } from './access-keys.ts';
import { CallCounts } from './call-counts.ts';

const timestampToleranceSeconds = 300;
const noncePattern = /^[\x21-\x7e]{8,64}$/;
/** Calls that are let in by one statement. */
const mostClaims = 64;
const claimPatienceMs = 250;

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

/** Times that a key is read for one call while it keeps changing. */
const mostLooks = 3;

/** The headers of a signed call. */
interface SignedHeaders {
  keyId: string;
  timestamp: string;
  nonce: string;
  signature: string;
}

/**
 * Judges a signed call, in this order: headers present, timestamp, key and signature, address, suspension, nonce. The
 * nonce comes last, so that only a call that would pass uses it up, and it stays used whatever becomes of the call.
 */
export class SignatureGuard {
  readonly #keys: AccessKeys;
  /** Nonces are taken one statement at a time: under load a statement has many, and each costs little. */
  readonly #claims: MicroBatcher<'nonces', NonceClaim, NonceAnswer>;
  /** From where calls with a right signature come, let in or not. */
  readonly counts: CallCounts;

  constructor(database: Database, secrets: Secrets) {
    this.#keys = new AccessKeys(database, secrets);
    this.#claims = new MicroBatcher({
      work: (_, claims) =>
        database.asSystem((tx) => claimNonces(tx, claims), { relaxed: true, oneStatement: true }),
      conflictKeysOf: ({ keyId, nonce }) => [`${keyId} ${nonce}`],
      maxBatchSize: mostClaims,
      stuckAfterMs: claimPatienceMs,
    });
    this.counts = new CallCounts(database);
  }

  /** The calling program; throws a Refusal of status 401 or 403. */
  async check(request: FastifyRequest, body: Buffer): Promise<Program> {
    const headers = readHeaders(request);
    // A key that was read before admits a call in one round trip; it refuses none before it has been read again.
    const recalled = this.#keys.recall(headers.keyId);
    if (recalled && !refusalOf(recalled, headers, request, body)) {
      const admitted = await this.#claim(recalled, headers, request.ip);
      if (admitted) return admitted;
    }
    // A key may change between the look and the claim (its merchant is suspended, say): the change is what is reported.
    for (let look = 0; look < mostLooks; look++) {
      const key = await this.#keys.read(headers.keyId);
      const refusal = refusalOf(key, headers, request, body);
      if (key && refusal?.code === 'address_not_allowed') this.counts.note(key.home.merchantId, request.ip);
      if (refusal) throw refusal;
      const admitted = key && (await this.#claim(key, headers, request.ip));
      if (admitted) return admitted;
    }
    throw new Refusal('signature_invalid');
  }

  /** The program, if the key still is what it was judged by; throws `nonce_replayed`. */
  async #claim(key: OpenKey, { nonce }: SignedHeaders, ip: string): Promise<Program | undefined> {
    const { keyId, revision } = key;
    const claim = await this.#claims.submit('nonces', { keyId, revision, nonce });
    if (claim === 'replayed') throw new Refusal('nonce_replayed');
    if (claim === 'claimed') this.counts.note(key.home.merchantId, ip);
    return claim === 'claimed'
      ? { kind: 'program', keyId: key.keyId, home: key.home, callbackUrl: key.callbackUrl }
      : undefined;
  }
}

/** Throws `signature_missing` or `signature_expired`. */
function readHeaders(request: FastifyRequest): SignedHeaders {
  const keyId = header(request, 'x-key');
  const timestamp = header(request, 'x-timestamp');
  const nonce = header(request, 'x-nonce');
  const signature = header(request, 'x-signature');
  if (!keyId || !timestamp || !nonce || !signature || !noncePattern.test(nonce))
    throw new Refusal('signature_missing');
  if (!isFresh(timestamp)) throw new Refusal('signature_expired');
  return { keyId, timestamp, nonce, signature };
}

/** Why a key does not admit a call; undefined where it does. */
function refusalOf(
  key: OpenKey | undefined,
  { timestamp, nonce, signature }: SignedHeaders,
  { method, url, ip }: FastifyRequest,
  body: Buffer,
): Refusal | undefined {
  // An unknown key is compared too, so that the time taken does not tell which keys exist.
  const secret = key?.secret ?? 'no such key';
  const expected = signatureOf(secret, { method, pathWithQuery: url, timestamp, nonce, body });
  if (!sameText(signature, expected) || !key) return new Refusal('signature_invalid');
  const address = parseAddress(ip);
  if (!address || !isInBlocks(address, key.allowedBlocks)) {
    return new Refusal('address_not_allowed', { values: { address: ip } });
  }
  return key.isSuspended ? new Refusal('merchant_suspended') : undefined;
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' && value.length <= 512 ? value : undefined;
}

function isFresh(timestamp: string): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= timestampToleranceSeconds;
}
