import { batchHeadingEndpoints } from '@hengfu/contract/batch-headings';
import { payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import { type CheckResult, type Draft, sentRows } from './editor/batch-draft.ts';

/** The channels that accept payouts now. */
export const channelOptions = reading(payoutEndpoints.channels);
/** The merchant's own headings, and the fields that they stand for. */
export const headingsOptions = { ...reading(batchHeadingEndpoints.list), staleTime: 0 };
/** The server's check of a draft, with each row's line in the file. */
export function checkOptions({ channel, rows, version }: Draft) {
  const sent = sentRows(rows);
  return queryOptions({
    queryKey: [payoutBatchEndpoints.check.path, version],
    queryFn: async ({ signal }) => {
      const body = { channel, rows: sent.map(({ fields }) => fields) };
      const { data } = await call(payoutBatchEndpoints.check, { body, signal });
      const checked: CheckResult = { ...data, version, lines: sent.map(({ line }) => line) };
      return checked;
    },
    enabled: sent.length > 0,
    placeholderData: keepPreviousData,
    // Two megabytes each, and earlier versions are never shown again.
    gcTime: 0,
    meta: { inPlace: true },
  });
}

/** The failed rows of an earlier batch, to be corrected and sent again. */
export const failedOptions = (batch_no: string) =>
  queryOptions({
    ...reading(payoutBatchEndpoints.failed, { params: { batch_no } }),
    gcTime: 0,
  });
