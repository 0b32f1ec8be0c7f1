import { statusEndpoints } from '@hengfu/contract/status';
import { reading } from '../../platform/reading.ts';

const everyMs = 60_000;
const triesEveryMs = 5000;

/** How the service does: asked again each minute, and every few seconds while there is no answer. */
export const statusOptions = {
  ...reading(statusEndpoints.get),
  refetchInterval: ({ state }: { state: { status: string } }) =>
    state.status === 'error' ? triesEveryMs : everyMs,
};
