import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent } from 'undici';

const timeoutMs = 10_000;

/** Ranges that a callback must not reach: our own machine and network are not the merchant's server. */
const refusedRanges = new Set([
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
  'reserved',
]);

/** Whether an address is somebody's on the public internet. */
function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && !refusedRanges.has(ipaddr.process(address).range());
}

class TargetRefused extends Error {}

/**
 * An HTTP agent for merchants' servers. Addresses are checked when the connection is made, after the name was
 * resolved, so that a name can't point elsewhere between check and call. No redirect is followed.
 */
export function callbackAgent(allowsPrivate: boolean): Agent {
  const guardedLookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = allowsPrivate ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (!first) return callback(new TargetRefused('the address is not a public one'), []);
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
  return new Agent({
    connect: { lookup: guardedLookup, timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/** A literal address in a URL is not resolved: it has to be judged before. Throws {@link TargetRefused}. */
export function checkLiteralTarget(url: URL, allowsPrivate: boolean): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowsPrivate && ipaddr.isValid(host) && !isPublicAddress(host)) {
    throw new TargetRefused('the address is not a public one');
  }
}
