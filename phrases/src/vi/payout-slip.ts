import type { payoutSlip as en } from '../en/payout-slip.ts';
import type { Translation } from '../phrases.ts';

export const payoutSlip: Translation<typeof en> = {
  title: 'Biên lai chi hộ',
  payer: 'Bên chi',
  print: 'In',
  check: 'Có thể kiểm tra biên lai này tại địa chỉ dưới đây đến {{at}}.',
  qr: 'Mã QR địa chỉ của biên lai',
  make: 'Tạo biên lai',
  open: 'Mở biên lai',
  link: 'Liên kết biên lai',
  until: 'Liên kết có hiệu lực đến',
};
