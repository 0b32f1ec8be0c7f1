import { payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { reading } from '../../platform/reading.ts';

/** The last batches. Asked for each time: while nobody looked, nobody was told of changes. */
export const batchesOptions = { ...reading(payoutBatchEndpoints.list), staleTime: 0 };
/** One batch and how far it is. */
export const batchOptions = (batch_no: string) => ({
  ...reading(payoutBatchEndpoints.get, { params: { batch_no } }),
  staleTime: 0,
});
