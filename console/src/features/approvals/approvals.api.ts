import { approvalEndpoints } from '@hengfu/contract/approvals';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { reading } from '../../platform/reading.ts';
import { listOptions } from '../../shared/list/list-query.ts';

/** Key of every request's detail, for invalidation. */
export const approvalDetailKey = [approvalEndpoints.get.path] as const;

/** One request, with its decisions and what has changed since. */
export const approvalOptions = (requestNo: string) =>
  reading(approvalEndpoints.get, { params: { request_no: requestNo } });

const shownRows = '50';

/** The payouts of a batch that its request shows. */
export const batchRowsOptions = (batchNo: string) =>
  listOptions(payoutEndpoints.list, { batch_no: batchNo, limit: shownRows });
