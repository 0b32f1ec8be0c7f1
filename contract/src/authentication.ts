/**
 * How a person showed who they are, beyond the login password (the ideas of `amr` and `auth_time` in OpenID Connect
 * Core 1.0, section 2): a code from an authenticator app, a passkey, or a recovery code.
 */
export const secondFactors = ['app', 'passkey', 'recoveryCode'] as const;
export type SecondFactor = (typeof secondFactors)[number];

/**
 * What a session has to have passed for a call, from the least to the most:
 *
 * - `password`: the login password. A second factor that the person has bound may still have to be passed.
 * - `bound`: every factor that the person has bound. One that the merchant requires may still have to be bound.
 * - `complete`: everything that the person and the merchant ask for.
 * - `secondFactor`: a second factor, in this very session.
 */
export const sessionLevels = ['password', 'bound', 'complete', 'secondFactor'] as const;
export type SessionLevel = (typeof sessionLevels)[number];

/** Whether a session that stands at one level may make a call that needs another. */
export function reaches(level: SessionLevel, needed: SessionLevel): boolean {
  return sessionLevels.indexOf(level) >= sessionLevels.indexOf(needed);
}

/** Hours for which a one-time enrolment code may be used. */
export const enrolmentCodeHours = 72;
/** Seconds that a person has to finish binding an authenticator app. */
export const bindingSeconds = 900;
