import type { payoutSlips as en } from '../en/payout-slips.ts';
import type { Translation } from '../phrases.ts';

export const payoutSlips: Translation<typeof en> = {
  title: '付款回单',
  paid: '付款成功',
  payer: '付款方',
  print: '打印',
  check: '{{at}} 前可通过以下链接核验本回单。',
  qr: '回单链接二维码',
  make: '生成回单',
  open: '查看回单',
  link: '回单链接',
  until: '链接有效期至',
  revoke: '撤销链接',
  revokeWarning: '此前为本回单生成的所有链接都将失效，已打印的回单也无法再核验。',
  revokeAll: '撤销全部链接',
  keep: '保留链接',
  revoked: '本回单的所有链接均已失效。',
};
