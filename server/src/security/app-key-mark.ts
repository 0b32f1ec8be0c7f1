import { Secrets } from './secrets.ts';

/** Identifies an APP_KEY without revealing anything about it. */
export function appKeyMark(appKey: Buffer): string {
  return new Secrets(appKey).hmac('backup', 'key');
}
