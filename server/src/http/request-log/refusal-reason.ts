import { createHash, createHmac } from 'node:crypto';
import { keyScopes } from '@hengfu/contract/key-scopes';
import type { RequestReason, SignatureMistake } from '@hengfu/contract/request-log';
import { sameText } from '#security/secrets.ts';
import type { KeyStanding } from '../access-key.sql.ts';
import { canonicalLines, isNonce, isTimestamp, type SignedParts } from '../signature.ts';

/** A refused call, as far as its explanation needs it. */
export interface RefusedCall {
  code: string | undefined;
  parts: SignedParts;
  headers: Readonly<Record<'x-key' | 'x-timestamp' | 'x-nonce' | 'x-signature', string | undefined>>;
  address: string;
  at: Date;
  /** The key that the call names; undefined if it was not looked up. */
  key: { secret: string; standing: KeyStanding } | undefined;
  /** Path and query as the log shows them. */
  shownPath: string;
  shownQuery: string | undefined;
  /** The log does not show the body as it was sent. */
  isBodyMasked: boolean;
  /** Names of the fields that the reply rejects. */
  fields: readonly string[];
  /** The scope that the reply says is missing. */
  scope: unknown;
}

const keyStates = { revoked: 'revoked', off: 'disabled', ended: 'expired' } as const;

const millisecondsTimestamp = /^\d{13}$/;
const shownNonceLength = 4;
/**
 * Digits of the hash of a body with masked values. The whole hash would let a reader of the log try all account numbers until one fits;
 * two digits still show nearly every caller that another body was signed.
 */
const shownHashLength = 2;
const cut = '…';

/** Explains why a call was refused; undefined if the reply says all there is to say. */
export function reasonOf(call: RefusedCall): RequestReason | undefined {
  switch (call.code) {
    case 'signature_missing':
      return { kind: 'headers', headers: faultyHeaders(call) };
    case 'signature_expired':
      return timestampReason(call);
    case 'signature_invalid':
      return invalidReason(call);
    case 'key_expired':
      return { kind: 'key', state: 'expired' };
    case 'key_disabled':
      return { kind: 'key', state: 'disabled' };
    case 'key_scope':
      return scopeReason(call);
    case 'address_not_allowed':
    case 'key_address_not_allowed':
      return { kind: 'address', address: call.address };
    case 'nonce_replayed':
      return { kind: 'nonce' };
    case 'merchant_suspended':
      return { kind: 'suspended' };
    case 'validation_failed':
      return { kind: 'fields', fields: [...call.fields] };
    default:
      return undefined;
  }
}

function faultyHeaders({ headers }: RefusedCall): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => value === undefined || (name === 'x-nonce' && !isNonce(value)))
    .map(([name]) => name);
}

function timestampReason({ parts: { timestamp }, at }: RefusedCall): RequestReason {
  if (!isTimestamp(timestamp))
    return { kind: 'timestamp', isMilliseconds: millisecondsTimestamp.test(timestamp) };
  return { kind: 'clock', secondsBehind: Math.round(at.getTime() / 1000 - Number(timestamp)) };
}

function scopeReason({ scope: missing }: RefusedCall): RequestReason | undefined {
  const scope = keyScopes.find((known) => known === missing);
  return scope && { kind: 'scope', scope };
}

/** Explains `signature_invalid`: of a key that is not active, no signature is right. */
function invalidReason(call: RefusedCall): RequestReason | undefined {
  if (!call.key) return undefined;
  const { secret, standing } = call.key;
  return standing === 'active' ? signatureReason(call, secret) : { kind: 'key', state: keyStates[standing] };
}

function signatureReason(call: RefusedCall, secret: string): RequestReason {
  const { parts, headers, shownPath, shownQuery, isBodyMasked } = call;
  const [method = '', , timestamp = '', nonce = '', hash = ''] = canonicalLines(parts);
  const signed = [
    method,
    shownQuery === undefined ? shownPath : `${shownPath}?${shownQuery}`,
    timestamp,
    nonce.slice(0, shownNonceLength) + cut,
    isBodyMasked ? hash.slice(0, shownHashLength) + cut : hash,
  ];
  const mistake = mistakeOf(secret, parts, headers['x-signature'] ?? '');
  return { kind: 'signature', signed, ...(mistake && { mistake }) };
}

/**
 * Returns the usual mistake with which the signature would be right. Only somebody who has the secret can make such a signature, and the
 * caller is told nothing of it.
 */
function mistakeOf(secret: string, parts: SignedParts, signature: string): SignatureMistake | undefined {
  const [method = '', path = '', timestamp = '', nonce = '', hash = ''] = canonicalLines(parts);
  const digest = (lines: readonly string[], end = '', separator = '\n', encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', secret)
      .update(lines.join(separator) + end)
      .digest(encoding);
  const lines = [method, path, timestamp, nonce, hash];
  const expected: Readonly<Record<SignatureMistake, string>> = {
    noQuery: digest([method, path.split('?', 1)[0] ?? '', timestamp, nonce, hash]),
    emptyBody: digest([method, path, timestamp, nonce, createHash('sha256').digest('hex')]),
    plainBody: digest([method, path, timestamp, nonce, parts.body.toString()]),
    upperCaseHash: digest([method, path, timestamp, nonce, hash.toUpperCase()]),
    upperCaseSignature: digest(lines).toUpperCase(),
    base64Signature: digest(lines, '', '\n', 'base64'),
    carriageReturns: digest(lines, '', '\r\n'),
    finalLineBreak: digest(lines, '\n'),
  };
  for (const [mistake, text] of Object.entries(expected))
    if (sameText(signature, text)) return mistake as SignatureMistake;
  return undefined;
}
