import type { session as en } from '../en/session.ts';
import type { Translation } from '../phrases.ts';

export const session: Translation<typeof en> = {
  title: 'Đăng nhập',
  email: 'Email',
  password: 'Mật khẩu',
  submit: 'Đăng nhập',
  submitting: 'Đang đăng nhập…',
  remember: 'Giữ đăng nhập trên thiết bị này',
  showPassword: 'Hiện mật khẩu',
  hidePassword: 'Ẩn mật khẩu',
  capsLock: 'Caps Lock đang bật',
  badCredentials: 'Email hoặc mật khẩu không đúng.',
  demoTitle: 'Tài khoản demo',
  demoUse: 'Điền',
  signOut: 'Đăng xuất',
  signedOut: 'Đã đăng xuất thành công',
  ended: 'Phiên đăng nhập đã kết thúc, vui lòng đăng nhập lại.',
  retryIn: 'Thử lại sau {{seconds, wait}}.',
  subtitle: 'Đăng nhập tài khoản merchant của bạn',
  tagline: 'Khớp đến từng đồng.',
  taglineText: 'Thu hộ, quyết toán và chi hộ, mọi số liệu từ một sổ cái duy nhất.',
  demoHint: 'Đây là bản demo với dữ liệu giả lập.',
  againText: 'Đăng nhập lại để tiếp tục; nội dung bạn đã nhập vẫn được giữ nguyên.',
  leave: 'Đến trang đăng nhập',
  haveUnlockCode: 'Tôi có mã mở khóa',
  unlockCode: 'Mã mở khóa do bộ phận hỗ trợ cung cấp',
};
