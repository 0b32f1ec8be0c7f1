import type { MemberState } from '@hengfu/contract/team';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** How a member's state looks. */
export const memberLooks: Readonly<Record<MemberState, StatusLook>> = {
  active: { label: 'team.states.active', tone: 'good', icon: 'circleCheck' },
  suspended: { label: 'team.states.suspended', tone: 'waiting', icon: 'circleDash' },
  blocked: { label: 'team.states.blocked', tone: 'bad', icon: 'circleCross' },
};

/** How an invitation's state looks. */
export const invitationLooks = {
  open: { label: 'team.open', tone: 'waiting', icon: 'circleClock' },
  expired: { label: 'team.expired', tone: 'calm', icon: 'circleCross' },
} as const satisfies Record<string, StatusLook>;
