import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import type { ApiError } from './api-error.ts';

/**
 * Error codes for the `meta` of queries whose screen shows a failure in place of the data, without an alert.
 * 403 is not among them; an ended session raises an alert in any case.
 */
export const shownInPlace: readonly ApiError['code'][] = [
  ...(Object.keys(errorStatus) as ErrorCode[]).filter((code) => errorStatus[code] !== 403),
  'network',
  'timeout',
  'unreadable_reply',
];
