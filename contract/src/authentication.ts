/**
 * How a person authenticated beyond the login password (the ideas of `amr` and `auth_time` in OpenID Connect
 * Core 1.0, section 2): a code from an authenticator app, a passkey, or a recovery code.
 */
export const secondFactors = ['app', 'passkey', 'recoveryCode'] as const;
export type SecondFactor = (typeof secondFactors)[number];

/**
 * The authentication that a call requires of its session, from the lowest level to the highest:
 *
 * - `password`: the login password. A bound second factor may still have to be passed.
 * - `person`: every factor that the person has bound. The merchant to work for may not be chosen yet.
 * - `bound`: a merchant, too. A factor that it requires may not be bound yet.
 * - `complete`: everything that the person and the merchant require.
 * - `secondFactor`: a second factor, in this very session.
 */
export const sessionLevels = ['password', 'person', 'bound', 'complete', 'secondFactor'] as const;
export type SessionLevel = (typeof sessionLevels)[number];

/** Whether a session at one level may make a call that needs another. */
export function reaches(level: SessionLevel, needed: SessionLevel): boolean {
  return sessionLevels.indexOf(level) >= sessionLevels.indexOf(needed);
}

/** Hours for which a one-time enrollment code is valid. */
export const enrolmentCodeHours = 72;
/** Seconds within which the binding of an authenticator app must be completed. */
export const bindingSeconds = 900;
