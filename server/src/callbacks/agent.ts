import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, errors } from 'undici';
import { type TargetPolicy, TargetRefused } from './target.ts';

const timeoutMs = 10_000;
/**
 * Includes resolution. A call's own timeout applies only afterwards: until it is connected, undici ignores
 * signals.
 */
const connectTimeoutMs = 3000;
/** How many addresses of a name are tried, one after the other. */
const maxAddresses = 4;

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
