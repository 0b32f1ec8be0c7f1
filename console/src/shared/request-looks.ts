import { type RequestResult, requestResultOf } from '@hengfu/contract/request-log';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each result of a call. */
export const requestLooks = {
  done: { label: 'requestLog.results.done', tone: 'good', icon: 'circleCheck' },
  refused: { label: 'requestLog.results.refused', tone: 'bad', icon: 'circleCross' },
  failed: { label: 'requestLog.results.failed', tone: 'bad', icon: 'alert' },
} as const satisfies Readonly<Record<RequestResult, StatusLook>>;

/** Returns the look of a call by its status. */
export const lookOfStatus = (status: number): StatusLook => requestLooks[requestResultOf(status)];
