import { randomUUIDv7 } from 'node:crypto';

/** Makes the ID of a request. It begins with the time, by which the request log finds a call. */
export const newRequestId = (): string => randomUUIDv7();

/** Returns the time with which an ID that {@link newRequestId} made begins. */
export const timeOfNewRequest = (id: string): Date =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

const requestId = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the time with which the ID of a request begins; undefined for any other text. */
export function timeOfRequest(id: string): Date | undefined {
  const [, high, middle] = requestId.exec(id) ?? [];
  return high !== undefined && middle !== undefined
    ? new Date(Number.parseInt(high + middle, 16))
    : undefined;
}
