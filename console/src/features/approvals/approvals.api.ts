import { approvalEndpoints } from '@hengfu/contract/approvals';
import { reading } from '../../platform/reading.ts';

/** Key of every request's detail, for invalidation. */
export const approvalDetailKey = [approvalEndpoints.get.path] as const;

/** One request, with its decisions and what has changed since. */
export const approvalOptions = (requestNo: string) =>
  reading(approvalEndpoints.get, { params: { request_no: requestNo } });
