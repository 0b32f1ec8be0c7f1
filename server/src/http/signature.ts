import { createHash, createHmac } from 'node:crypto';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { allowsCall, type KeyScope } from '@hengfu/contract/key-scopes';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import type { NonceClaim, OpenNonce, Program } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { isInBlocks, parseAddress } from '#security/addresses.ts';
import { type Secrets, sameText } from '#security/secrets.ts';
import { AccessKeys, type DecryptedKey } from './access-keys.ts';
import { CallCounts } from './call-counts.ts';
import { CallNonce } from './call-nonce.ts';
import { KeyUses } from './key-uses.ts';
import { NonceClaimer } from './nonce-claimer.ts';

const timestampToleranceSeconds = 300;
const noncePattern = /^[\x21-\x7e]{8,64}$/;

/** The signed parts of a call. The path includes the query as sent; the raw body is signed by its SHA-256. */
export interface SignedParts {
  method: string;
  pathWithQuery: string;
  timestamp: string;
  nonce: string;
  body: Buffer;
}

/** Returns the lines of the canonical text (docs/open-api.md). */
export function canonicalLines(parts: SignedParts): string[] {
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  return [parts.method, parts.pathWithQuery, parts.timestamp, parts.nonce, bodyHash];
}

/** Computes the lower-case hex HMAC-SHA256 of the canonical text. */
export function signatureOf(secret: string, parts: SignedParts): string {
  return createHmac('sha256', secret).update(canonicalLines(parts).join('\n')).digest('hex');
}

/** Whether a text can be a nonce. */
export const isNonce = (text: string): boolean => noncePattern.test(text);

/** Whether a text is a time in seconds. */
export const isTimestamp = (text: string): boolean => /^\d{1,12}$/.test(text);

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that a signed call names, once it was looked up; the call may still be refused. */
    namedKey?: DecryptedKey | undefined;
    /** The signature is that of an existing key; the call may still be refused. */
    hasRightSignature?: boolean;
  }
}

/** Times that a key is read for one call if it keeps changing. */
const maxReads = 3;

/** How a signed call is checked. */
interface CheckOptions {
  onVerified: (merchantId: bigint) => void;
  /** The transaction that does the call's work claims its nonce, if it can. */
  claimsNonce?: boolean;
}

/** The headers of a signed call. */
interface SignedHeaders {
  keyId: string;
  timestamp: string;
  nonce: string;
  signature: string;
}

/**
 * Verifies a signed call, in this order: headers, timestamp, key and signature, the key's standing, address, suspension, scope,
 * nonce. The nonce comes last, so that only a call that is otherwise valid consumes it; it stays consumed whatever
 * the call's outcome, unless the database is away: then it may be unused.
 */
export class SignatureGuard {
  readonly #keys: AccessKeys;
  readonly #nonces: NonceClaimer;
  /** Counts correctly signed calls by address, admitted or not. */
  readonly counts: CallCounts;
  /** Records when each key was last used. */
  readonly uses: KeyUses;

  constructor(database: Database, secrets: Secrets) {
    this.#keys = new AccessKeys(database, secrets);
    this.#nonces = new NonceClaimer(database);
    this.counts = new CallCounts(database);
    this.uses = new KeyUses(database);
  }

  /** Writes what is counted in memory. */
  async stop(): Promise<void> {
    await Promise.all([this.counts.stop(), this.uses.stop()]);
  }

  /**
   * Returns the calling program. Throws a Refusal with status 401 or 403, or whatever `onVerified` throws: it is called once, before
   * the nonce is claimed, so that a call beyond its merchant's limit costs the database nothing.
   */
  async check(call: SignedCall, { onVerified, claimsNonce = false }: CheckOptions): Promise<Program> {
    const { request } = call;
    const headers = readHeaders(request);
    // A cached key can admit a call in one round trip; to reject one, the key is read again.
    const cached = this.#keys.cached(headers.keyId);
    request.namedKey = cached;
    const isVerified = cached && !refusalOf(cached, headers, call);
    if (isVerified) {
      request.hasRightSignature = true;
      onVerified(cached.home.merchantId);
      if (claimsNonce) return { ...programOf(cached), openNonce: this.#openNonce(cached, headers, call) };
      const admitted = await this.#claim(cached, headers, call);
      if (admitted) return admitted;
    }
    return this.#readAndClaim(headers, call, isVerified ? undefined : onVerified);
  }

  /** Reads the key and claims the nonce. The key may change between the two (a suspension, say): the next read finds the reason. */
  async #readAndClaim(
    headers: SignedHeaders,
    call: SignedCall,
    onVerified?: (merchantId: bigint) => void,
  ): Promise<Program> {
    const { request } = call;
    for (let attempt = 0; attempt < maxReads; attempt++) {
      const key = await this.#keys.read(headers.keyId);
      request.namedKey = key;
      const refusal = refusalOf(key, headers, call);
      request.hasRightSignature = refusal?.code !== 'signature_invalid';
      if (refusal) {
        if (key) this.#noteRefused(key, refusal, request);
        throw refusal;
      }
      if (key && attempt === 0) onVerified?.(key.home.merchantId);
      const admitted = key && (await this.#claim(key, headers, call));
      if (admitted) return admitted;
    }
    throw new Refusal('signature_invalid');
  }

  /** Leaves the claim to the transaction that does the call's work. */
  #openNonce(key: DecryptedKey, headers: SignedHeaders, call: SignedCall): OpenNonce {
    const claim = claimOf(key, headers);
    return new CallNonce({
      claim,
      claimAlone: async () => {
        const unchanged = await this.#claim(key, headers, call);
        return { program: unchanged ?? (await this.#readAndClaim(headers, call)), isUnchanged: !!unchanged };
      },
      onClaimed: () => this.#noteUse(claim, call),
    });
  }

  /** Logs why a call was refused whose signature is right: nobody else fills the log this way. */
  #noteRefused({ keyId, home }: DecryptedKey, { code }: Refusal, request: FastifyRequest): void {
    if (code === 'signature_invalid') return;
    if (code === 'address_not_allowed' || code === 'key_address_not_allowed')
      this.counts.note(home.merchantId, request.ip);
    request.log.info({ access_key: keyId, code }, 'signed call refused');
  }

  /** Claims the nonce; returns undefined if the key has changed. Throws `nonce_replayed`. */
  async #claim(key: DecryptedKey, headers: SignedHeaders, call: SignedCall): Promise<Program | undefined> {
    const claim = claimOf(key, headers);
    const answer = await this.#nonces.claim(claim);
    if (answer === 'replayed') throw new Refusal('nonce_replayed');
    if (answer !== 'claimed') return undefined;
    this.#noteUse(claim, call);
    return programOf(key);
  }

  #noteUse(
    { merchantId, keyId }: NonceClaim,
    { endpoint: { method, path }, request: { ip } }: SignedCall,
  ): void {
    this.counts.note(merchantId, ip);
    this.uses.note({ merchantId, keyId, usedAt: new Date(), address: ip, call: `${method} ${path}` });
  }
}

const claimOf = (
  { home: { merchantId }, keyId, revision }: DecryptedKey,
  { nonce }: SignedHeaders,
): NonceClaim => ({
  merchantId,
  keyId,
  revision,
  nonce,
});

const programOf = ({ keyId, home, callbackUrl }: DecryptedKey): Program => ({
  kind: 'program',
  keyId,
  home,
  callbackUrl,
});

/** Reads the headers of a signed call. Throws `signature_missing` or `signature_expired`. */
function readHeaders(request: FastifyRequest): SignedHeaders {
  const keyId = header(request, 'x-key');
  const timestamp = header(request, 'x-timestamp');
  const nonce = header(request, 'x-nonce');
  const signature = header(request, 'x-signature');
  if (!keyId || !timestamp || !nonce || !signature || !isNonce(nonce)) throw new Refusal('signature_missing');
  if (!isFresh(timestamp)) throw new Refusal('signature_expired');
  return { keyId, timestamp, nonce, signature };
}

/** A signed call as it arrived. */
export interface SignedCall {
  endpoint: EndpointShape;
  request: FastifyRequest;
  body: Buffer;
}

/** Returns the reason why a key does not admit a call; undefined if it does. */
function refusalOf(
  key: DecryptedKey | undefined,
  { timestamp, nonce, signature }: SignedHeaders,
  { endpoint, request: { method, url, ip }, body }: SignedCall,
): Refusal | undefined {
  // Unknown keys are compared too, so that timing does not reveal which keys exist.
  const secret = key?.secret ?? 'no such key';
  const expected = signatureOf(secret, { method, pathWithQuery: url, timestamp, nonce, body });
  if (!sameText(signature, expected) || !key) return new Refusal('signature_invalid');
  // Only whoever has the secret learns more. A revoked key may be in the hands of a thief, who learns nothing.
  if (key.standing === 'revoked') return new Refusal('signature_invalid');
  if (key.standing === 'ended') return new Refusal('key_expired');
  if (key.standing === 'off') return new Refusal('key_disabled');
  const address = parseAddress(ip);
  if (!address || !isInBlocks(address, key.allowedBlocks))
    return new Refusal('address_not_allowed', { values: { address: ip } });
  if (key.ownBlocks && !isInBlocks(address, key.ownBlocks))
    return new Refusal('key_address_not_allowed', { values: { address: ip } });
  if (key.isSuspended) return new Refusal('merchant_suspended');
  return allowsCall(key.scopes, endpoint) ? undefined : scopeRefusal(endpoint);
}

/** Names the scope that is missing, for programs and for people. */
function scopeRefusal({ scope = 'read' }: { scope?: KeyScope }): Refusal {
  return new Refusal('key_scope', { values: { scope: `accessKeys.scope.${scope}` }, details: { scope } });
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' && value.length <= 512 ? value : undefined;
}

function isFresh(timestamp: string): boolean {
  if (!isTimestamp(timestamp)) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= timestampToleranceSeconds;
}
