import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, errors } from 'undici';
import { isPublicAddress } from '#security/public-addresses.ts';

const timeoutMs = 10_000;
/**
 * Includes resolution. A call's own timeout applies only afterwards: until it is connected, undici ignores
 * signals.
 */
const connectTimeoutMs = 3000;
const queryTimeoutMs = 800;
const queryTries = 2;
/** Shorter than the connection timeout, so that a slow name fails like one that does not exist. */
const resolveTimeoutMs = 2500;
/** How many addresses of a name are tried, one after the other. */
const maxAddresses = 4;

/** Which servers callbacks may go to, and how their names are resolved. */
export interface TargetPolicy {
  /** Resolves a name to all its addresses; rejects, or returns none, if it has none. */
  resolve(name: string): Promise<string[]>;
  isAllowed(address: string): boolean;
}

/**
 * Allows public addresses only. Resolves names by DNS alone, at `nameServers` or those of the system:
 * `/etc/hosts` and search domains describe our own network. The queries do not occupy Node's thread pool,
 * which passwords and files need.
 */
export function publicTargets(nameServers?: readonly string[]): TargetPolicy {
  return {
    resolve: (name) => resolvePublicly(name, nameServers),
    isAllowed: isPublicAddress,
  };
}

/** Allows every address, for demo mode: shops may run on this machine. */
export const anyTargets: TargetPolicy = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  isAllowed: () => true,
};

/**
 * No connection was attempted. The message is the same whether the name does not exist, resolves to a
 * forbidden address, or is one: a merchant must not learn which names exist in our network.
 */
export class TargetRefused extends Error {
  constructor() {
    super('no public server at this address');
  }
}

/**
 * Creates an HTTP agent for merchants' servers. Every connection goes to an address that the policy has just
 * allowed: a name is resolved once, and cannot point elsewhere between check and connection. The agent
 * follows no redirects.
 */
export function callbackAgent(policy: TargetPolicy): Agent {
  const connectTo = buildConnector({ lookup: guardedLookup(policy), timeout: connectTimeoutMs });
  return new Agent({
    connect: (options, callback) => {
      // Node connects to a literal address without a lookup.
      const isRefused = isIP(options.hostname) !== 0 && !policy.isAllowed(options.hostname);
      if (isRefused) return callback(new TargetRefused(), null);
      let isLate = false;
      // undici's own timer may be late by a second or two; it only cleans up after this one.
      const timer = setTimeout(() => {
        isLate = true;
        callback(new errors.ConnectTimeoutError('no connection in time'), null);
      }, connectTimeoutMs);
      connectTo(options, (...made) => {
        clearTimeout(timer);
        if (isLate) made[1]?.destroy();
        else callback(...made);
      });
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

function guardedLookup({ resolve, isAllowed }: TargetPolicy): LookupFunction {
  return (name, { all }, callback) => {
    const refuse = () => callback(new TargetRefused(), []);
    resolve(name).then((found) => {
      const allowed = found
        .filter((address) => isIP(address) !== 0 && isAllowed(address))
        .slice(0, maxAddresses)
        .map((address) => ({ address, family: isIP(address) }));
      const [first] = allowed;
      if (!first) refuse();
      else if (all) callback(null, allowed);
      else callback(null, first.address, first.family);
    }, refuse);
  };
}

async function resolvePublicly(name: string, nameServers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  if (nameServers) resolver.setServers(nameServers);
  const deadline = setTimeout(() => resolver.cancel(), resolveTimeoutMs);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(deadline);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
