import type { SignInLimits } from '#http/sign-in-gate.ts';

const wide = { burst: 100_000, perSecond: 100_000 };

/** For tests of what lies behind the limits on sign-in calls. */
export const wideSignInLimits: SignInLimits = { address: wide, network: wide, device: wide, strangers: wide };
