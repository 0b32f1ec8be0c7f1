import { randomUUID } from 'node:crypto';

/** Makes the ID of a request that came at a time. */
export function requestIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
