import type { payoutSlip as en } from '../en/payout-slip.ts';
import type { Translation } from '../phrases.ts';

export const payoutSlip: Translation<typeof en> = {
  title: '付款回单',
  payer: '付款方',
  print: '打印',
  check: '在 {{at}} 前可通过此链接核验本回单。',
  qr: '回单链接二维码',
  make: '生成回单',
  open: '打开回单',
  link: '回单链接',
  until: '链接有效期至',
};
