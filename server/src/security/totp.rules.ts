import { totpDigits } from '@hengfu/contract/totp-code';
import { HOTP, Secret, TOTP } from 'otpauth';

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, steps of 30 s. */
const stepSeconds = 30;
/** Steps before and after the current one whose codes are accepted, because clocks differ. */
const driftSteps = 1;
const algorithm = 'SHA1';

/** Codes that one person may try within a minute. */
export const codesPerMinute = 5;

/**
 * Returns the time step of a code if it is within the allowed drift and later than the last accepted one;
 * undefined otherwise. `secret` is Base32; `nowMs` is the database's clock.
 */
export function acceptedStep(
  secret: string,
  code: string,
  nowMs: number,
  lastStep: bigint | null,
): number | undefined {
  if (!new RegExp(`^\\d{${totpDigits}}$`).test(code)) return undefined;
  const present = Math.floor(nowMs / 1000 / stepSeconds);
  const delta = HOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    algorithm,
    digits: totpDigits,
    counter: present,
    window: driftSteps,
  });
  if (delta === null) return undefined;
  const step = present + delta;
  return lastStep === null || BigInt(step) > lastStep ? step : undefined;
}

/** Builds the key URI that an authenticator app reads from the QR code. */
export function keyUri(secret: string, issuer: string, email: string): string {
  const totp = new TOTP({
    issuer,
    label: email,
    secret: Secret.fromBase32(secret),
    algorithm,
    digits: totpDigits,
    period: stepSeconds,
  });
  return totp.toString();
}
