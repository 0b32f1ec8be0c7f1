import type { CallbackCheck, CheckStep } from '@hengfu/contract/callback-checks';
import { checkWarnings } from '@hengfu/contract/callback-checks';
import type { EndpointState } from '@hengfu/contract/callback-endpoints';
import type { CallbackAttempt, CallbackState } from '@hengfu/contract/callback-messages';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each state of a callback. */
export const callbackLooks: Readonly<Record<CallbackState, StatusLook>> = {
  waiting: { label: 'callbacks.state.waiting', tone: 'waiting', icon: 'circleClock' },
  delivered: { label: 'callbacks.state.delivered', tone: 'good', icon: 'circleCheck' },
  givenUp: { label: 'callbacks.state.givenUp', tone: 'bad', icon: 'circleCross' },
  skipped: { label: 'callbacks.state.skipped', tone: 'calm', icon: 'circleDash' },
};

/** Label, tone and icon of each state of an endpoint. */
export const endpointLooks: Readonly<Record<EndpointState, StatusLook>> = {
  on: { label: 'endpoints.state.on', tone: 'good', icon: 'circleCheck' },
  paused: { label: 'endpoints.state.paused', tone: 'waiting', icon: 'circleClock' },
  autoPaused: { label: 'endpoints.state.autoPaused', tone: 'bad', icon: 'alert' },
  off: { label: 'endpoints.state.off', tone: 'calm', icon: 'circleDash' },
};

/** Standard Webhooks: any 2xx status acknowledges a callback. */
export function attemptLook({ httpStatus }: CallbackAttempt): StatusLook {
  if (httpStatus === null) return { label: 'collections.callbackNoAnswer', tone: 'bad', icon: 'alert' };
  return httpStatus >= 200 && httpStatus < 300
    ? { label: 'collections.callbackOk', tone: 'good', icon: 'circleCheck' }
    : { label: 'collections.callbackFailed', tone: 'bad', icon: 'circleCross' };
}

type Tone = 'good' | 'bad' | 'waiting';

/** The tone of a step of a check. */
export function toneOf({ finding }: CheckStep): Tone {
  if (finding === null) return 'good';
  return checkWarnings.includes(finding) ? 'waiting' : 'bad';
}

/** The tone of what a check has found. A wrong clock is a fault if it makes the server refuse callbacks. */
export function verdictTone({ verdict, steps }: CallbackCheck): Tone {
  if (verdict === 'good') return 'good';
  return steps.some((step) => toneOf(step) === 'bad') ? 'bad' : 'waiting';
}
