import type { Role } from '@hengfu/contract/permissions';
import { demoSignIn } from '#composition/demo-sign-ins.ts';
import type { Home, Person } from '#domain/caller.ts';
import type { ContactWithNotes } from '../features/contact/contact.sql.ts';

/** Merchants, users and access keys of demo mode; they exist nowhere else. */
export const demoMerchants = [
  {
    merchant: { code: 'demo', name: '青禾优选商城', currency: 'CNY', zone: 'Asia/Shanghai', cutOff: '00:00' },
    users: [
      {
        email: demoSignIn.email,
        name: '林晓彤',
        roles: ['MERCHANT_ADMIN'] satisfies Role[],
        paymentPassword: '888888',
      },
      { email: 'viewer@hengfu.test', name: '周婷', roles: ['MERCHANT_VIEWER'] satisfies Role[] },
      { email: 'owner@hengfu.test', name: '陈立群', roles: ['ROOT'] satisfies Role[] },
      {
        email: 'finance@hengfu.test',
        name: '王思远',
        roles: ['FINANCE'] satisfies Role[],
        paymentPassword: '888888',
      },
      {
        email: 'approver@hengfu.test',
        name: '黄志远',
        roles: ['APPROVER'] satisfies Role[],
        paymentPassword: '888888',
      },
      { email: 'service@hengfu.test', name: '赵敏', roles: ['SUPPORT'] satisfies Role[] },
      { email: 'developer@hengfu.test', name: '吴昊', roles: ['DEVELOPER'] satisfies Role[] },
    ],
    invited: [{ email: 'auditor@hengfu.test', roles: ['MERCHANT_VIEWER'] satisfies Role[] }],
    channel: 'CN_BANK',
    key: { id: 'ak_demo_hengfu', secret: 'sk_demo_hengfu_2026' },
  },
  {
    merchant: {
      code: 'other',
      name: 'Cửa hàng Sen Việt',
      currency: 'VND',
      zone: 'Asia/Ho_Chi_Minh',
      cutOff: '00:00',
    },
    users: [
      {
        email: 'other@hengfu.test',
        name: 'Nguyễn Thu Hà',
        roles: ['MERCHANT_ADMIN'] satisfies Role[],
        paymentPassword: '888888',
      },
    ],
    invited: [],
    channel: 'VN_NAPAS',
    key: { id: 'ak_other_hengfu', secret: 'sk_other_hengfu_2026' },
  },
] as const;

/** A key beside the first one of the demo merchant, which can only read. */
export const demoReportsKey = { id: 'ak_demo_reports', secret: 'sk_demo_reports_2026', name: '对账报表' };

/** The IP whitelist of demo merchants. */
export const demoAddresses = ['127.0.0.1/32', '::1/128'];

/** Contact details of the demo’s support team. */
export const demoContacts: readonly ContactWithNotes[] = [
  {
    kind: 'email',
    value: 'support@hengfu.test',
    notes: {
      en: 'We reply within four hours, every day.',
      'zh-cn': '每天，四小时内回复。',
      vi: 'Phản hồi trong vòng 4 giờ, tất cả các ngày.',
    },
  },
  {
    kind: 'telegram',
    value: '@hengfu_support',
    notes: { en: 'Available 24/7.', 'zh-cn': '全天候。', vi: 'Hỗ trợ 24/7.' },
  },
  {
    kind: 'phone',
    value: '+862155550100',
    notes: {
      en: 'Monday to Friday, 9:00–18:00 Shanghai time.',
      'zh-cn': '周一至周五 9:00–18:00（上海时间）。',
      vi: 'Thứ Hai đến thứ Sáu, 9:00–18:00 giờ Thượng Hải.',
    },
  },
];

/** Returns an administrator of a demo merchant, as if signed in. */
export function personOf(home: Home, userId: bigint): Person {
  return {
    kind: 'person',
    userId,
    home,
    email: '',
    name: '',
    roles: ['MERCHANT_ADMIN'],
    perms: [],
    sessionId: '',
    ownZone: null,
    language: null,
    factors: [],
    twoFactor: 'off',
    authenticatedAt: new Date(),
    passed: null,
    level: 'complete',
    isPasswordConfirmed: true,
    isInvited: false,
    isChosen: true,
    hasOtherMerchants: false,
    mode: 'live',
    hasTwin: false,
  };
}
