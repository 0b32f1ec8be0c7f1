import type { merchantStates } from '@hengfu/contract/staff/merchants';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** How the states of merchants look. */
export const merchantLooks: Record<(typeof merchantStates)[number], StatusLook> = {
  active: { label: 'officeMerchants.states.active', tone: 'good', icon: 'circleCheck' },
  suspended: { label: 'officeMerchants.states.suspended', tone: 'bad', icon: 'alert' },
};
