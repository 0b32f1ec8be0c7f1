import type { testCalls as en } from '../en/test-calls.ts';
import type { Translation } from '../phrases.ts';

export const testCalls: Translation<typeof en> = {
  title: 'Tài liệu API',
  intro: 'Toàn bộ lệnh gọi của Open API. Ở chế độ thử nghiệm, bạn có thể gửi ngay tại đây.',
  documents: 'Tài liệu',
  guide: 'Hướng dẫn Open API',
  quickstart: 'Bắt đầu nhanh',
  document: 'Tài liệu OpenAPI',
  inTestMode:
    'Ở chế độ thử nghiệm, bạn có thể gửi các lệnh gọi này ngay tại đây mà không động đến tiền thật.',
  key: 'Khóa truy cập',
  keyHint:
    'Máy chủ của chúng tôi ký lệnh gọi nên mã bí mật không hiển thị. Lệnh gọi đi từ địa chỉ IP của bạn, với quyền của khóa.',
  noKey: 'Chưa có khóa thử nghiệm nào đang hoạt động. Hãy thêm một khóa để gửi lệnh gọi tại đây.',
  groups: {
    collections: 'Thu hộ',
    payouts: 'Chi hộ',
    refunds: 'Hoàn tiền',
    settlements: 'Quyết toán',
    balance: 'Số dư',
  },
  optional: 'Không bắt buộc',
  body: 'Nội dung yêu cầu',
  send: 'Gửi',
  newNumber: 'Đổi mã đơn',
  status: 'HTTP {{status}} · {{ms}} ms',
  entry: 'Mở trong nhật ký yêu cầu',
  signed: 'Văn bản đã được ký',
  sent: 'Các header đã gửi',
  received: 'Các header của phản hồi',
  reply: 'Phản hồi',
  replies: 'Mã HTTP và mã lỗi',
  notAllowed: 'Địa chỉ IP của bạn không nằm trong danh sách IP cho phép của chế độ thử nghiệm.',
};
