import type { LinkState } from '@hengfu/contract/payment-links';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each state of a payment link. */
export const linkLooks: Readonly<Record<LinkState, StatusLook>> = {
  on: { label: 'paymentLinks.state.on', tone: 'good', icon: 'circleCheck' },
  off: { label: 'paymentLinks.state.off', tone: 'calm', icon: 'circleDash' },
  usedUp: { label: 'paymentLinks.state.usedUp', tone: 'active', icon: 'doubleCheck' },
  expired: { label: 'paymentLinks.state.expired', tone: 'waiting', icon: 'circleClock' },
};
