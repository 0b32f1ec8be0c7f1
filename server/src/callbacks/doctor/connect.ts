import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { CheckFinding } from '@hengfu/contract/callback-checks';
import { within } from '#threads/within.ts';
import type { TargetPolicy } from '../target.ts';

/** How many addresses of a name are tried, as callbacks do. */
const maxAddresses = 4;

/** Resolves a URL's host to the addresses that callbacks may go to; none if it is not public. */
export async function allowedAddresses(
  { hostname }: URL,
  { resolve, isAllowed }: TargetPolicy,
  timeoutMs: number,
): Promise<string[]> {
  const host = bare(hostname);
  const found = isIP(host) ? [host] : await within(timeoutMs, resolve(host)).catch(() => []);
  return found.filter((address) => isIP(address) !== 0 && isAllowed(address)).slice(0, maxAddresses);
}

/** Connects to the first of the addresses that answers. */
export async function openSocket(
  { port, protocol }: URL,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<Socket | CheckFinding> {
  const endsAtMs = performance.now() + timeoutMs;
  let finding: CheckFinding = 'unreachable';
  for (const host of addresses) {
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0) return 'connectTimeout';
    const opened = await openOne(host, Number(port) || (protocol === 'https:' ? 443 : 80), leftMs);
    if (typeof opened !== 'string') return opened;
    finding = opened;
  }
  return finding;
}

function openOne(host: string, port: number, timeoutMs: number): Promise<Socket | CheckFinding> {
  return new Promise((settle) => {
    const socket = connect({ host, port });
    const fail = (finding: CheckFinding) => {
      socket.destroy();
      settle(finding);
    };
    const timer = setTimeout(() => fail('connectTimeout'), timeoutMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      settle(socket);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      fail(connectFindings[error.code ?? ''] ?? 'unreachable');
    });
  });
}

const connectFindings: Readonly<Record<string, CheckFinding>> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'connectTimeout',
};

/** OpenSSL's codes, and Node's for a wrong name. */
const certificateFindings: Readonly<Record<string, CheckFinding>> = {
  CERT_HAS_EXPIRED: 'certificateExpired',
  CERT_NOT_YET_VALID: 'certificateNotYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificateName',
  HOSTNAME_MISMATCH: 'certificateName',
  // One certificate without its issuer: the server does not send the intermediate one.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificateChain',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificateSelfSigned',
};
const anyCertificate = /^(CERT_|CRL_|SELF_SIGNED_|UNABLE_TO_|INVALID_(CA|PURPOSE))/;

/** Speaks TLS on a socket as callbacks do, and closes it. Returns what is wrong; null if nothing is. */
export function examineTls(
  socket: Socket,
  { hostname }: URL,
  timeoutMs: number,
): Promise<CheckFinding | null> {
  return new Promise((settle) => {
    const host = bare(hostname);
    const secure = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
    const end = (finding: CheckFinding | null) => {
      clearTimeout(timer);
      secure.destroy();
      settle(finding);
    };
    const timer = setTimeout(() => end('tlsFailed'), timeoutMs);
    secure.once('secureConnect', () => end(null));
    secure.once('close', () => end('tlsFailed'));
    secure.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      const other = anyCertificate.test(code) ? 'certificateUntrusted' : 'tlsFailed';
      end(certificateFindings[code] ?? other);
    });
  });
}

/** A host without the brackets of IPv6. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
