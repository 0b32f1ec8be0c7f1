import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import type { ApiError } from './api-error.ts';

/**
 * For the `meta` of queries whose screen shows their failure where the data would stand: no alert on top of it. A
 * refusal (403) and a lost session are still everybody's business.
 */
export const shownInPlace: readonly ApiError['code'][] = [
  ...(Object.keys(errorStatus) as ErrorCode[]).filter((code) => errorStatus[code] !== 403),
  'network',
  'timeout',
  'unreadable_reply',
];
