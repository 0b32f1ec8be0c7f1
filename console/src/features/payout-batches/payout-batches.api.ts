import { payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { reading } from '../../platform/reading.ts';

/** The latest batches. Fetched on every visit, because live updates reach only pages on screen. */
export const batchesOptions = { ...reading(payoutBatchEndpoints.list), staleTime: 0 };
/** One batch and its progress. */
export const batchOptions = (batch_no: string) => ({
  ...reading(payoutBatchEndpoints.get, { params: { batch_no } }),
  staleTime: 0,
});
