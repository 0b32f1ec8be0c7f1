import { payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import { type Checked, type Draft, sentRows } from './editor/batch-draft.ts';

/** The channels that may be paid out through now. */
export const channelOptions = reading(payoutEndpoints.channels);
/** What the server finds of a draft, told by the rows' places in the file. */
export function checkOptions({ channel, rows, version }: Draft) {
  const sent = sentRows(rows);
  return queryOptions({
    queryKey: [payoutBatchEndpoints.check.path, version],
    queryFn: async ({ signal }) => {
      const body = { channel, rows: sent.map(({ fields }) => fields) };
      const { data } = await call(payoutBatchEndpoints.check, { body, signal });
      const checked: Checked = { ...data, version, lines: sent.map(({ line }) => line) };
      return checked;
    },
    enabled: sent.length > 0,
    placeholderData: keepPreviousData,
    // Two megabytes each: nobody comes back to what was edited away.
    gcTime: 0,
    meta: { inPlace: true },
  });
}

/** The rows of an earlier batch that failed, as they can be mended and sent again. */
export const failedOptions = (batch_no: string) =>
  queryOptions({
    ...reading(payoutBatchEndpoints.failed, { params: { batch_no } }),
    gcTime: 0,
  });
