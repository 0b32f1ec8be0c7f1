import type { passkeys as en } from '../en/passkeys.ts';
import type { Translation } from '../phrases.ts';

export const passkeys: Translation<typeof en> = {
  title: 'Passkey',
  intro: 'Dùng thiết bị hoặc khóa bảo mật của bạn thay cho mã từ ứng dụng.',
  add: 'Thêm passkey',
  addTitle: 'Thêm passkey',
  name: 'Tên',
  nameHint: 'Để phân biệt với khóa khác, ví dụ tên thiết bị lưu khóa.',
  make: 'Tiếp tục',
  added: 'Đã thêm passkey',
  remove: 'Xóa',
  removeNamed: 'Xóa {{name}}',
  removed: 'Đã xóa passkey',
  lastUsed: 'dùng lần cuối {{time}}',
  neverUsed: 'chưa dùng',
  notHere: 'Trang mở bằng địa chỉ IP không thể dùng passkey. Hãy mở trang này tại',
  notShown: 'Chưa nhận được passkey. Vui lòng thử lại.',
  willBeAsked: 'Bạn sẽ được yêu cầu xác nhận bằng passkey.',
  codeOrPasskey: '6 chữ số trong ứng dụng xác thực; bỏ trống để dùng passkey',
  use: 'Dùng passkey',
  challengeText: 'Xác nhận bằng passkey trên thiết bị hoặc khóa bảo mật của bạn.',
};
