import { createHash } from 'node:crypto';

/** SHA-256 of what was asked for, the same however the JSON was spaced or ordered. Secrets and consents are left out by the caller. */
export function requestHash(asked: object): Buffer {
  const fields = Object.entries(asked)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}
