import type { ipAddress as en } from '../en/ip-address.ts';
import type { Translation } from '../phrases.ts';

export const ipAddress: Translation<typeof en> = {
  title: 'Địa chỉ IP',
  intro:
    'Chương trình của bạn chỉ được gọi Open API từ các địa chỉ này. Danh sách trống sẽ từ chối mọi lệnh gọi.',
  label: 'Danh sách IP cho phép',
  hint: 'Mỗi dòng một địa chỉ hoặc dải CIDR, IPv4 hoặc IPv6.',
  check: 'Xem tác động',
  save: 'Lưu',
  yoursIn: 'Địa chỉ của bạn, {{address}}, sẽ được cho phép.',
  yoursOut: 'Địa chỉ của bạn, {{address}}, sẽ không được cho phép.',
  calls: 'Lệnh gọi trong bảy ngày qua',
  noCalls: 'Không có chương trình nào gọi trong bảy ngày qua.',
  address: 'Địa chỉ',
  count: 'Lệnh gọi',
  outcome: 'Với danh sách này',
  allowed: 'Cho phép',
  refused: 'Từ chối',
};
