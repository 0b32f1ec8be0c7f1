import { createHash } from 'node:crypto';

/**
 * Hashes a request with SHA-256, regardless of the spacing and order of its JSON. The caller leaves out
 * secrets and consents.
 */
export function requestHash(request: object): Buffer {
  const fields = Object.entries(request)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}
