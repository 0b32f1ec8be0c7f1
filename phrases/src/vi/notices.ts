import type { notices as source } from '../en/notices.ts';
import type { Translation } from '../phrases.ts';

export const notices: Translation<typeof source> = {
  title: 'Thông báo',
  bell: 'Thông báo, không có tin chưa đọc',
  bellUnread_one: 'Thông báo, {{count}} tin chưa đọc',
  bellUnread_other: 'Thông báo, {{count}} tin chưa đọc',
  bellMany: 'Thông báo, hơn {{most}} tin chưa đọc',
  badgeMany: '{{most}}+',
  markAll: 'Đánh dấu tất cả là đã đọc',
  unread: 'Chưa đọc',
  more: 'Xem thêm',
  empty:
    'Chưa có thông báo. Lệnh chi hộ bị từ chối, kết quả duyệt nạp tiền và rút tiền, tệp xuất hoàn tất và đăng nhập mới sẽ hiện ở đây.',
  end: 'Thông báo được lưu trong {{days}} ngày.',
  new_one: '{{count}} thông báo mới, mới nhất: {{title}}',
  new_other: '{{count}} thông báo mới, mới nhất: {{title}}',
  kind: {
    payoutRejected: 'Lệnh chi hộ bị từ chối',
    payoutBatchFailed: 'Lô chi hộ đã xử lý xong, có dòng thất bại',
    withdrawalPaid: 'Lệnh rút tiền đã chi',
    withdrawalRejected: 'Lệnh rút tiền bị từ chối',
    topupApproved: 'Lệnh nạp tiền đã duyệt',
    topupPaid: 'Tiền nạp đã được ghi có',
    topupRejected: 'Lệnh nạp tiền bị từ chối',
    exportSuccessful: 'Xuất dữ liệu thành công',
    exportFailed: 'Xuất dữ liệu thất bại',
    signInNew: 'Tài khoản của bạn có đăng nhập mới',
  },
  batchFailed_one: '{{count}}/{{rows}} dòng thất bại',
  batchFailed_other: '{{count}}/{{rows}} dòng thất bại',
  batchRejected_one: 'Kênh từ chối {{count}} lệnh chi hộ',
  batchRejected_other: 'Kênh từ chối {{count}} lệnh chi hộ',
  notYou: 'Không phải bạn? Hãy đổi mật khẩu và đăng xuất thiết bị đó.',
};
