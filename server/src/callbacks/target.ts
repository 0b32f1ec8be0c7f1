import { lookup, Resolver } from 'node:dns/promises';
import { isPublicAddress } from '#security/public-addresses.ts';

const queryTimeoutMs = 800;
const queryTries = 2;
/** Shorter than the connection timeout, so that a slow name fails like one that does not exist. */
const resolveTimeoutMs = 2500;

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

async function resolvePublicly(name: string, nameServers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  if (nameServers) resolver.setServers(nameServers);
  const deadline = setTimeout(() => resolver.cancel(), resolveTimeoutMs);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(deadline);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
