import type { Role } from '@hengfu/contract/permissions';

/** The sign-in that demo mode shows on its first page. */
export const demoSignIn = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };

/** Merchants, people, key and terms of demo mode; they exist nowhere else. */
export const demoMerchants = [
  {
    merchant: { code: 'demo', name: '青禾优选商城', currency: 'CNY', zone: 'Asia/Shanghai', cutOff: '00:00' },
    users: [
      { email: demoSignIn.email, name: '林晓彤', roles: ['MERCHANT_ADMIN'] satisfies Role[] },
      { email: 'viewer@hengfu.test', name: '周婷', roles: ['MERCHANT_VIEWER'] satisfies Role[] },
    ],
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
      { email: 'other@hengfu.test', name: 'Nguyễn Thu Hà', roles: ['MERCHANT_ADMIN'] satisfies Role[] },
    ],
    channel: 'VN_NAPAS',
    key: { id: 'ak_other_hengfu', secret: 'sk_other_hengfu_2026' },
  },
] as const;

/** Addresses that demo programs call from. */
export const demoAddresses = ['127.0.0.1/32', '::1/128'];
