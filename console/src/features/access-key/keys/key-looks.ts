import type { AccessKeyRow, KeyState } from '@hengfu/contract/access-keys';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** A key that was replaced is still valid for a while. */
type ShownState = KeyState | 'replaced';

const looks: Readonly<Record<ShownState, StatusLook>> = {
  active: { label: 'accessKeys.state.active', tone: 'good', icon: 'circleCheck' },
  off: { label: 'accessKeys.state.off', tone: 'calm', icon: 'circleDash' },
  replaced: { label: 'accessKeys.state.replaced', tone: 'waiting', icon: 'circleClock' },
  ended: { label: 'accessKeys.state.ended', tone: 'waiting', icon: 'circleClock' },
  revoked: { label: 'accessKeys.state.revoked', tone: 'bad', icon: 'circleCross' },
};

/** Label, tone and icon of a key's state. */
export function keyLook({ state, successor }: AccessKeyRow): StatusLook {
  return looks[state === 'active' && successor !== null ? 'replaced' : state];
}

/** Whether a key can still be used, or turned on again. */
export function isLive({ state }: AccessKeyRow): boolean {
  return state === 'active' || state === 'off';
}
