import { parseAmount } from '@hengfu/contract/money';
import { ConfigError } from './config-error.ts';

/** The amount in USDT from which on two people have to agree, if nothing else is set. */
export const defaultFourEyesFrom = '1000';
export const defaultFourEyesFromUsdtMinor = parseAmount(defaultFourEyesFrom, 'USDT') ?? 0n;

/** The variables that decide whether and where the back office is served. */
interface StaffVariables {
  PROCESS: 'all' | 'web' | 'worker' | 'staff';
  STAFF_PORT?: number | undefined;
  STAFF_HOST: string;
  STAFF_URL?: string | undefined;
  APP_URL?: string | undefined;
  FOUR_EYES_FROM: string;
}

/** Settings of the back office. */
export interface StaffSettings {
  /** Serves the back office, with the credentials of its own database role. */
  staff: boolean;
  /** Undefined: two above the port, if that is free. */
  staffPort: number | undefined;
  staffHost: string;
  /** Public base URL of the back office without a trailing slash; undefined in demo mode, unless one is set. */
  staffUrl: string | undefined;
  /** Our staff need a second factor: always, but in demo mode. */
  staffFactorRequired: boolean;
  /** From this amount on, in minor units of USDT, a second member of our staff has to agree to a credit or a payment. */
  fourEyesFromUsdtMinor: bigint;
}

/** Whether a host is this machine, so that nothing leaves it. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Decides where the back office is served. Cookies, and what browsers call the same site, ignore ports: outside demo mode, it needs
 * a host of its own. Throws {@link ConfigError}.
 */
export function staffSettings(
  { PROCESS, STAFF_PORT, STAFF_HOST, STAFF_URL, APP_URL, FOUR_EYES_FROM }: StaffVariables,
  demo: boolean,
): StaffSettings {
  if (STAFF_URL !== undefined && !demo) {
    if (APP_URL === undefined)
      throw new ConfigError('STAFF_URL needs APP_URL, so that the two can be compared.');
    const { protocol, hostname } = new URL(STAFF_URL);
    if (protocol !== 'https:' && !isLoopback(hostname))
      throw new ConfigError(
        'STAFF_URL must begin with https: over http, passwords and sessions of our staff could be read on the way.',
      );
    if (hostname === new URL(APP_URL).hostname)
      throw new ConfigError(
        'STAFF_URL must name a host of its own: browsers send the cookies of a host to all of its ports.',
      );
  }
  if (PROCESS === 'staff' && !demo && STAFF_URL === undefined)
    throw new ConfigError('PROCESS=staff needs STAFF_URL, the public address of the back office.');
  return {
    staff: (PROCESS === 'all' || PROCESS === 'staff') && (demo || STAFF_URL !== undefined),
    staffPort: STAFF_PORT,
    staffHost: STAFF_HOST,
    staffUrl: STAFF_URL?.replace(/\/+$/, ''),
    staffFactorRequired: !demo,
    fourEyesFromUsdtMinor: parseAmount(FOUR_EYES_FROM, 'USDT') ?? 0n,
  };
}
