import type { CallbackFailure } from '@hengfu/contract/callbacks';
import { TargetRefused } from './target.ts';

/** Codes of Node's sockets and of undici for a server that is unreachable or hangs up. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EPIPE',
  'EADDRNOTAVAIL',
  'UND_ERR_SOCKET',
]);
const timeouts = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const noHttp = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
/** OpenSSL's codes for certificate errors, Node's for a wrong host name, and those of failed handshakes. */
const certificate =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

/** Classifies why a call to a merchant's server got no answer. Never judges by the text of an error. */
export function failureOf(error: unknown): CallbackFailure {
  if (error instanceof TargetRefused) return 'notPublic';
  if (!(error instanceof Error)) return 'other';
  if (error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (unreachable.has(code)) return 'unreachable';
  if (timeouts.has(code)) return 'timeout';
  if (certificate.test(code)) return 'certificate';
  return error.name === 'HTTPParserError' || noHttp.has(code) ? 'noHttp' : 'other';
}
