import type { contact as en } from '../en/contact.ts';
import type { Translation } from '../phrases.ts';

export const contact: Translation<typeof en> = {
  title: 'Liên hệ',
  intro:
    'Đội ngũ hỗ trợ của chúng tôi tiếp nhận tại đây. Nếu câu hỏi liên quan đến đơn hàng, hãy chuẩn bị sẵn mã đơn hàng.',
  kind: {
    email: 'Email',
    phone: 'Điện thoại',
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    wechat: 'WeChat',
    website: 'Trang web',
  },
  empty: 'Chưa có thông tin liên hệ. Vui lòng hỏi người đã mở tài khoản cho bạn.',
  yours: 'Vui lòng cho chúng tôi biết',
  merchant: 'Đơn vị',
  signedInAs: 'Đăng nhập bằng',
  neverAsk: 'Chúng tôi không bao giờ hỏi mật khẩu, mã xác minh hay khóa bí mật của bạn.',
};
