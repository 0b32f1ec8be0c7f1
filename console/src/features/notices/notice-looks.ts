import type { NoticeKind, NoticeRow } from '@hengfu/contract/notices';
import type { CurrentUser } from '@hengfu/contract/session';
import type { IconName } from '@hengfu/ui/controls/icon.tsx';
import { batchTarget } from '../../shared/payments/batch-target.ts';

/** The icon and tone of each kind of notice. */
export const noticeLooks: Readonly<
  Record<NoticeKind, { icon: IconName; tone: 'good' | 'bad' | 'waiting' | 'calm' }>
> = {
  payoutRejected: { icon: 'circleCross', tone: 'bad' },
  payoutBatchFailed: { icon: 'alert', tone: 'waiting' },
  withdrawalPaid: { icon: 'circleCheck', tone: 'good' },
  withdrawalRejected: { icon: 'circleCross', tone: 'bad' },
  topupApproved: { icon: 'check', tone: 'calm' },
  topupPaid: { icon: 'circleCheck', tone: 'good' },
  topupRejected: { icon: 'circleCross', tone: 'bad' },
  exportSuccessful: { icon: 'arrowDown', tone: 'good' },
  exportFailed: { icon: 'circleCross', tone: 'bad' },
  exportsFinished: { icon: 'arrowDown', tone: 'calm' },
  signInNew: { icon: 'circleInfo', tone: 'waiting' },
  accessChanged: { icon: 'alert', tone: 'waiting' },
  accountSuspended: { icon: 'alert', tone: 'waiting' },
  accountReactivated: { icon: 'circleCheck', tone: 'good' },
  approvalsWaiting: { icon: 'circleClock', tone: 'waiting' },
  requestApproved: { icon: 'circleCheck', tone: 'good' },
  requestRefused: { icon: 'circleCross', tone: 'bad' },
  requestExpired: { icon: 'circleClock', tone: 'waiting' },
  factorReset: { icon: 'alert', tone: 'waiting' },
  passwordReset: { icon: 'alert', tone: 'waiting' },
  memberJoined: { icon: 'user', tone: 'calm' },
  merchantSuspended: { icon: 'alert', tone: 'bad' },
  merchantReactivated: { icon: 'circleCheck', tone: 'good' },
  consoleViewed: { icon: 'circleInfo', tone: 'calm' },
  accessKeyRevoked: { icon: 'alert', tone: 'bad' },
  callbacksPaused: { icon: 'alert', tone: 'bad' },
  accessKeyExpires: { icon: 'circleClock', tone: 'waiting' },
  accessKeyExpired: { icon: 'alert', tone: 'bad' },
};

/** Returns the page that shows a notice's subject. */
export function targetOf(
  { kind, subject, asked }: Pick<NoticeRow, 'kind' | 'subject' | 'asked'>,
  user: CurrentUser,
) {
  const search = subject === null ? {} : { open: subject };
  switch (kind) {
    case 'payoutRejected':
      return { to: '/behalfPay/transfers', search } as const;
    case 'payoutBatchFailed':
      return batchTarget(user, subject ?? '');
    case 'withdrawalPaid':
    case 'withdrawalRejected':
      return { to: '/withdrawal/record', search } as const;
    case 'topupApproved':
    case 'topupPaid':
    case 'topupRejected':
      return { to: '/recharge/record', search } as const;
    case 'exportSuccessful':
    case 'exportFailed':
    case 'exportsFinished':
      return { to: '/lineExport', search: {} } as const;
    case 'callbacksPaused':
      return { to: '/developers/endpoints', search: {} } as const;
    case 'accessKeyRevoked':
    case 'accessKeyExpires':
    case 'accessKeyExpired':
      return { to: '/setting/keys', search: {} } as const;
    case 'approvalsWaiting':
      return { to: '/approvals', search: { view: 'mine' } } as const;
    case 'requestApproved':
    case 'requestRefused':
    case 'requestExpired':
      // People who may change the access key need not see requests.
      if (asked?.setting === 'key') return { to: '/setting/keys', search: {} } as const;
      if (asked?.setting === 'whitelist') return { to: '/setting/ipAddress', search: {} } as const;
      if (asked?.setting === 'endpoint') return { to: '/developers/endpoints', search: {} } as const;
      return { to: '/approvals', search } as const;
    case 'accountSuspended':
    case 'factorReset':
    case 'passwordReset':
    case 'memberJoined':
      return { to: '/setting/team', search: {} } as const;
    case 'consoleViewed':
      return { to: '/setting/auditLog', search: {} } as const;
    case 'signInNew':
    case 'accessChanged':
    case 'accountReactivated':
    case 'merchantSuspended':
    case 'merchantReactivated':
      return { to: '/setting/accountSecurity', search: {} } as const;
  }
}
