import type { passkeys as en } from '../en/passkeys.ts';
import type { Translation } from '../phrases.ts';

export const passkeys: Translation<typeof en> = {
  title: 'Khóa truy cập',
  intro: 'Dùng thiết bị hoặc khóa bảo mật của bạn thay cho mã từ ứng dụng.',
  add: 'Thêm khóa truy cập',
  addTitle: 'Thêm khóa truy cập',
  name: 'Tên',
  nameHint: 'Để phân biệt với khóa khác, ví dụ tên thiết bị lưu khóa.',
  make: 'Tiếp tục',
  added: 'Đã thêm khóa truy cập',
  remove: 'Xóa',
  removeNamed: 'Xóa {{name}}',
  removed: 'Đã xóa khóa truy cập',
  lastUsed: 'dùng lần cuối {{time}}',
  neverUsed: 'chưa dùng',
  notHere: 'Trang mở bằng địa chỉ IP không thể dùng khóa truy cập. Hãy mở trang này tại',
  notShown: 'Chưa nhận được khóa truy cập. Vui lòng thử lại.',
  willBeAsked: 'Bạn sẽ được yêu cầu xác nhận bằng khóa truy cập.',
  codeOrPasskey: '6 chữ số trong ứng dụng; để trống để dùng khóa truy cập',
  use: 'Dùng khóa truy cập',
  challengeText: 'Xác nhận bằng khóa truy cập trên thiết bị hoặc khóa bảo mật của bạn.',
};
