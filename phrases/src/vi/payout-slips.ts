import type { payoutSlips as en } from '../en/payout-slips.ts';
import type { Translation } from '../phrases.ts';

export const payoutSlips: Translation<typeof en> = {
  title: 'Biên lai chi hộ',
  paid: 'Chuyển tiền thành công',
  payer: 'Đơn vị chuyển tiền',
  print: 'In',
  check: 'Có thể xác thực biên lai này tại địa chỉ dưới đây đến {{at}}.',
  qr: 'Mã QR địa chỉ của biên lai',
  make: 'Tạo biên lai',
  open: 'Xem biên lai',
  link: 'Liên kết biên lai',
  until: 'Liên kết có hiệu lực đến',
  revoke: 'Thu hồi liên kết',
  revokeWarning:
    'Mọi liên kết đã tạo cho biên lai này sẽ ngừng hoạt động; biên lai đã in cũng không thể xác thực được nữa.',
  revokeAll: 'Thu hồi tất cả liên kết',
  keep: 'Giữ lại',
  revoked: 'Tất cả liên kết đến biên lai này đã bị thu hồi.',
};
