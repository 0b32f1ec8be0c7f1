import type { passkeys as en } from '../en/passkeys.ts';
import type { Translation } from '../phrases.ts';

export const passkeys: Translation<typeof en> = {
  title: 'Passkey',
  intro: 'Dùng thiết bị hoặc khóa bảo mật của bạn thay cho mã từ ứng dụng xác thực.',
  add: 'Thêm passkey',
  addTitle: 'Thêm passkey',
  name: 'Tên',
  nameHint: 'Để phân biệt với passkey khác, ví dụ tên thiết bị lưu passkey.',
  make: 'Tiếp tục',
  added: 'Đã thêm passkey',
  remove: 'Xóa',
  removeNamed: 'Xóa {{name}}',
  removed: 'Đã xóa passkey',
  lastUsed: 'dùng lần cuối {{time}}',
  neverUsed: 'chưa dùng',
  notHere: 'Không dùng được passkey khi mở trang bằng địa chỉ IP.',
  openAt: 'Hãy mở trang tại {{address}}',
  notShown: 'Chưa nhận được passkey. Vui lòng thử lại.',
  willBeAsked: 'Bạn sẽ được yêu cầu xác nhận bằng passkey.',
  codeOrPasskey: '6 chữ số trong ứng dụng xác thực; bỏ trống để dùng passkey',
  use: 'Dùng passkey',
  challengeText: 'Xác nhận bằng passkey trên thiết bị hoặc khóa bảo mật của bạn.',
};
