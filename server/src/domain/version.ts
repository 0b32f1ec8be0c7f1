import { createHash } from 'node:crypto';

/**
 * Hashes values for optimistic concurrency control: a client sends back the version that it was shown, and the change is refused if the values
 * have another one by now.
 */
export function versionOf(values: object): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}
