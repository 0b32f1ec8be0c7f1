import { randomInt } from 'node:crypto';
import type { Secrets } from '#security/secrets.ts';
import { recoveryCodeCount } from './two-factor.rules.ts';

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const halfLength = 10;

/** Generates a recovery code: ten letters and digits, a hyphen, ten more; without look-alike characters. */
export function freshCode(): string {
  const half = () =>
    Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
  return `${half()}-${half()}`;
}

/** Generates a set of recovery codes, encrypted for storage. */
export function sealFreshCodes(secrets: Secrets): Buffer {
  return sealCodes(secrets, Array.from({ length: recoveryCodeCount }, freshCode));
}

export function sealCodes(secrets: Secrets, codes: readonly string[]): Buffer {
  return secrets.encrypt(JSON.stringify(codes));
}

/** Decrypts a set of recovery codes; empty if there is none. */
export function openCodes(secrets: Secrets, sealed: Buffer | null): string[] {
  return sealed === null ? [] : JSON.parse(secrets.decrypt(sealed));
}
