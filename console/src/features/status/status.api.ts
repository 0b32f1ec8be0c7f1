import { statusEndpoints } from '@hengfu/contract/status';
import { reading } from '../../platform/reading.ts';

const pollMs = 60_000;
const retryMs = 5000;

/** The state of the service; refetched every minute, and every few seconds while calls fail. */
export const statusOptions = {
  ...reading(statusEndpoints.get),
  refetchInterval: ({ state }: { state: { status: string } }) =>
    state.status === 'error' ? retryMs : pollMs,
};
