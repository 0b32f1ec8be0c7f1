import type { ipAddress as en } from '../en/ip-address.ts';
import type { Translation } from '../phrases.ts';

export const ipAddress: Translation<typeof en> = {
  title: 'Địa chỉ IP',
  intro: 'Chỉ các địa chỉ này được gọi Open API. Nếu danh sách trống, mọi lệnh gọi đều bị từ chối.',
  label: 'Danh sách IP cho phép',
  hint: 'Mỗi dòng một địa chỉ IP hoặc dải CIDR (IPv4 hoặc IPv6).',
  placeholder: 'Vui lòng nhập địa chỉ IP.',
  check: 'Xem trước',
  save: 'Lưu',
  yoursIn: 'Địa chỉ của bạn, {{address}}, sẽ được cho phép.',
  yoursOut: 'Địa chỉ của bạn, {{address}}, sẽ bị từ chối.',
  calls: 'Lệnh gọi API trong 7 ngày qua',
  noCalls: 'Không có lệnh gọi API nào trong 7 ngày qua.',
  address: 'Địa chỉ',
  count: 'Lệnh gọi',
  outcome: 'Theo danh sách này',
  allowed: 'Cho phép',
  refused: 'Từ chối',
  openTitle: 'Cho phép dải địa chỉ rộng như vậy?',
  openText:
    'Nếu khóa của bạn bị lộ, người khác có thể dùng khóa đó từ bất kỳ địa chỉ nào trong số này. Nếu có thể, chỉ nhập địa chỉ máy chủ của bạn.',
  saveAnyway: 'Vẫn lưu',
  closedTitle: 'Từ chối chính hệ thống của bạn?',
  closedText:
    'Hệ thống của bạn sẽ không thể tạo hoặc tra cứu đơn qua Open API cho đến khi địa chỉ được thêm lại vào danh sách.',
};
