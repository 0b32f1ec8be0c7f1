import type { paymentPassword as en } from '../en/payment-password.ts';
import type { Translation } from '../phrases.ts';

export const paymentPassword: Translation<typeof en> = {
  title: 'Mật khẩu thanh toán',
  set: 'Đặt mật khẩu thanh toán',
  change: 'Đổi mật khẩu thanh toán',
  intro: 'Bắt buộc nhập khi chi hộ và rút tiền. Không chia sẻ mật khẩu này với bất kỳ ai.',
  current: 'Mật khẩu thanh toán hiện tại',
  forgotten: 'Quên mật khẩu này? Hãy liên hệ bộ phận hỗ trợ.',
  next: 'Mật khẩu thanh toán mới',
  again: 'Xác nhận mật khẩu thanh toán mới',
  hint: 'Ít nhất 6 ký tự.',
  locked: 'Nhập sai mật khẩu thanh toán quá nhiều lần. Vui lòng thử lại sau {{minutes}} phút.',
};
