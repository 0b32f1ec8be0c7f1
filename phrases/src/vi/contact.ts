import type { contact as en } from '../en/contact.ts';
import type { Translation } from '../phrases.ts';

export const contact: Translation<typeof en> = {
  title: 'Liên hệ',
  intro:
    'Liên hệ bộ phận hỗ trợ theo thông tin dưới đây. Nếu câu hỏi liên quan đến đơn hàng, hãy chuẩn bị sẵn mã đơn hàng.',
  kind: {
    email: 'Email',
    phone: 'Điện thoại',
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    wechat: 'WeChat',
    website: 'Trang web',
  },
  empty: 'Chưa có thông tin liên hệ. Vui lòng liên hệ nhân viên phụ trách tài khoản của bạn.',
  yours: 'Thông tin cần cung cấp khi liên hệ',
  merchant: 'Merchant',
  signedInAs: 'Tài khoản đăng nhập',
  trouble: 'Dịch vụ gặp sự cố?',
  toStatus: 'Xem trạng thái hệ thống',
  neverAsk: 'Chúng tôi không bao giờ yêu cầu mật khẩu, mã xác thực hay khóa bí mật của bạn.',
};
