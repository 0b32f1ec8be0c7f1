import type { SignInLimits } from '#http/sign-in-gate.ts';

const wide = { burst: 100_000, perSecond: 100_000 };

/** Limits on sign-in calls that tests of other things never reach. */
export const wideSignInLimits: SignInLimits = { address: wide, network: wide, device: wide, strangers: wide };
