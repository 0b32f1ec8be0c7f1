import { totpDigits } from '@hengfu/contract/two-factor';
import { HOTP, Secret, TOTP } from 'otpauth';

/** RFC 6238 as every authenticator app speaks it: SHA-1, steps of 30 s. */
const stepSeconds = 30;
/** Steps before and after the present one whose codes count, for clocks that differ. */
const driftSteps = 1;
const algorithm = 'SHA1';

export const recoveryCodeCount = 8;
export const codesPerMinute = 5;

/**
 * The step of a code, if it is one of the present ones and later than the last that was accepted; undefined otherwise.
 * `secret` is Base32; `nowMs` is the database's clock.
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

/** What an authenticator app reads from the QR code (the key URI format). */
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

/** The codes with a used one replaced; undefined where it is none of them. Case and spaces are the typist's own. */
export function spendRecoveryCode(
  codes: readonly string[],
  typed: string,
  fresh: string,
): string[] | undefined {
  const plain = (text: string) => text.replaceAll(/[\s-]/g, '').toLowerCase();
  const index = codes.findIndex((code) => plain(code) === plain(typed));
  return index < 0 ? undefined : codes.with(index, fresh);
}
