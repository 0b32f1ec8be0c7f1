import { randomInt } from 'node:crypto';
import type { Secrets } from '#security/secrets.ts';
import { recoveryCodeCount } from './two-factor.rules.ts';

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const halfLength = 10;

/** A recovery code: ten letters and digits, a hyphen, ten more; none that are read for another. */
export function freshCode(): string {
  const half = () =>
    Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
  return `${half()}-${half()}`;
}

/** A new set of recovery codes, sealed as it is stored. */
export function sealFreshCodes(secrets: Secrets): Buffer {
  return sealCodes(secrets, Array.from({ length: recoveryCodeCount }, freshCode));
}

export function sealCodes(secrets: Secrets, codes: readonly string[]): Buffer {
  return secrets.encrypt(JSON.stringify(codes));
}

/** The codes of a sealed set; none where there is no set. */
export function openCodes(secrets: Secrets, sealed: Buffer | null): string[] {
  return sealed === null ? [] : JSON.parse(secrets.decrypt(sealed));
}
