import type { contact as en } from '../en/contact.ts';
import type { Translation } from '../phrases.ts';

export const contact: Translation<typeof en> = {
  title: 'Liên hệ',
  intro:
    'Bạn có thể liên hệ bộ phận hỗ trợ tại đây. Nếu câu hỏi liên quan đến đơn hàng, hãy chuẩn bị sẵn mã đơn hàng.',
  kind: {
    email: 'Email',
    phone: 'Điện thoại',
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    wechat: 'WeChat',
    website: 'Trang web',
  },
  empty: 'Chưa có thông tin liên hệ. Vui lòng hỏi người đã mở tài khoản cho bạn.',
  yours: 'Vui lòng cung cấp',
  merchant: 'Merchant',
  signedInAs: 'Đăng nhập bằng',
  trouble: 'Dịch vụ gặp sự cố?',
  toStatus: 'Xem trạng thái hệ thống',
  neverAsk: 'Chúng tôi không bao giờ hỏi mật khẩu, mã xác minh hay khóa bí mật của khóa truy cập.',
};
