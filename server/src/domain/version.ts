import { createHash } from 'node:crypto';

/** Returns a text that differs for other values: whoever changes them sends back the version that was shown. */
export function versionOf(values: object): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}
