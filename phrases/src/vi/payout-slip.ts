import type { payoutSlip as en } from '../en/payout-slip.ts';
import type { Translation } from '../phrases.ts';

export const payoutSlip: Translation<typeof en> = {
  title: 'Phiếu chi',
  payer: 'Bên chi',
  print: 'In',
  check: 'Có thể kiểm tra phiếu này tại địa chỉ dưới đây đến {{at}}.',
  qr: 'Địa chỉ của phiếu, dạng mã QR',
  make: 'Tạo phiếu',
  open: 'Mở phiếu',
  link: 'Liên kết phiếu',
  until: 'Liên kết có hiệu lực đến',
};
