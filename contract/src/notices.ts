import * as z from 'zod';
import { accessSettings } from './access-requests.ts';
import { endpoint } from './endpoint.ts';
import { exportLists } from './export-columns.ts';
import { exportReasons } from './exports.ts';
import { instant, listQuery } from './lists.ts';
import { amount, currency } from './money.ts';
import type { Perm } from './permissions.ts';
import { phrase } from './phrase.ts';
import type { SecurityAction } from './profile.ts';

/** The kinds of notices. */
export const noticeKinds = [
  'payoutRejected',
  'payoutBatchFailed',
  'withdrawalPaid',
  'withdrawalRejected',
  'topupApproved',
  'topupPaid',
  'topupRejected',
  'exportSuccessful',
  'exportFailed',
  'exportsFinished',
  'signInNew',
  'accessChanged',
  'accountSuspended',
  'accountReactivated',
  'memberJoined',
  'factorReset',
  'passwordReset',
  'approvalsWaiting',
  'requestApproved',
  'requestRefused',
  'requestExpired',
  'merchantSuspended',
  'merchantReactivated',
  'consoleViewed',
  'accessKeyRevoked',
  'callbacksPaused',
  'accessKeyExpires',
  'accessKeyExpired',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Changes of a person's sign-in email, password or second factors that the person is notified of. */
export const accessChanges = [
  'email_change',
  'password_change',
  'two_factor_on',
  'two_factor_off',
  'two_factor_codes_renewed',
  'passkey_add',
  'passkey_remove',
  'user_reset_password',
  'user_reset_two_factor',
] as const satisfies readonly SecurityAction[];
export type AccessChange = (typeof accessChanges)[number];

/** The permission required to read a kind; null if it is for one person, or for everyone of the merchant. */
export const permOfNotice: Readonly<Record<NoticeKind, Perm | null>> = {
  payoutRejected: 'payouts.read',
  payoutBatchFailed: 'payouts.read',
  withdrawalPaid: 'withdrawals.read',
  withdrawalRejected: 'withdrawals.read',
  topupApproved: 'topups.read',
  topupPaid: 'topups.read',
  topupRejected: 'topups.read',
  exportSuccessful: 'exports.read',
  exportFailed: 'exports.read',
  exportsFinished: 'exports.read',
  signInNew: null,
  accessChanged: null,
  accountSuspended: 'team.read',
  accountReactivated: null,
  memberJoined: 'team.read',
  factorReset: 'team.read',
  passwordReset: 'team.read',
  approvalsWaiting: 'approvals.decide',
  requestApproved: null,
  requestRefused: null,
  requestExpired: null,
  merchantSuspended: null,
  merchantReactivated: null,
  consoleViewed: 'audit.read',
  accessKeyRevoked: 'access.read',
  callbacksPaused: 'callbacks.read',
  accessKeyExpires: 'access.read',
  accessKeyExpired: 'access.read',
};

/** Unread notices are counted up to here. */
export const maxUnread = 100;
/** Days until a notice is deleted; also how long a browser or an address stays known. */
export const noticeDays = 90;

export const noticeRow = z.object({
  id: z.string(),
  kind: z.enum(noticeKinds),
  /**
   * Number of the order, batch or export, email of an account, id of a key, or address of an endpoint; null if it concerns a person,
   * a merchant or several exports.
   */
  subject: z.string().nullable(),
  createdAt: instant,
  isRead: z.boolean(),
  /** Of a payout, withdrawal or top-up. */
  money: z.object({ amount, currency }).optional(),
  /** Of a batch: its rows, the failed ones, and the payouts that were rejected. */
  batch: z
    .object({ rows: z.number().int(), failed: z.number().int(), rejected: z.number().int() })
    .optional(),
  /** Of an export; `reason` if it failed. */
  export: z.object({ list: z.enum(exportLists), reason: z.enum(exportReasons).nullable() }).optional(),
  /** Of several exports that finished at about the same time. */
  exports: z.object({ ready: z.number().int(), failed: z.number().int() }).optional(),
  /** Of a sign-in email, password or second factor; `address` is null if the service's staff changed it. */
  access: z
    .object({
      change: z.enum(accessChanges),
      address: z.string().nullable(),
      userAgent: z.string().nullable(),
    })
    .optional(),
  /** Of a request to change the access key, the whitelist or callback endpoints; `reason` if it was refused. */
  asked: z.object({ setting: z.enum(accessSettings), reason: z.string().nullable() }).optional(),
  /** Of an access key that expires; `name` if it has one. */
  key: z.object({ name: z.string().nullable(), endsAt: instant }).optional(),
  /** Of a sign-in; `userAgent` as the browser sent it. */
  signIn: z.object({ address: z.string(), userAgent: z.string().nullable() }).optional(),
});
export type NoticeRow = z.output<typeof noticeRow>;

const noticeId = z.string().regex(/^\d{1,18}$/, phrase('validation.choice'));
const unread = z.number().int().max(maxUnread);

/** The notices to mark as read: the given ones, or all up to one. */
export const markNotices = z.union([
  z.strictObject({ ids: z.array(noticeId).min(1).max(200) }),
  z.strictObject({ upTo: noticeId }),
]);
export type MarkNotices = z.output<typeof markNotices>;

export const noticeEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/notices',
    summary: 'Lists the caller’s notifications, newest first; `unread` is counted up to 100.',
    access: 'session',
    query: listQuery({}),
    status: 200,
    reply: z.object({ data: z.array(noticeRow), next: z.string().nullable(), unread }),
    errors: [],
  }),
  read: endpoint({
    method: 'PUT',
    path: '/api/merchant/notices/read',
    summary: 'Marks notifications as read by the caller: the given ones, or all up to a given one.',
    access: 'session',
    body: markNotices,
    status: 200,
    reply: z.object({ data: z.object({ unread }) }),
    errors: [],
  }),
};
