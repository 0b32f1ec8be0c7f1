import type { validation as en } from '../en/validation.ts';
import type { Translation } from '../phrases.ts';

export const validation: Translation<typeof en> = {
  required: 'Trường này là bắt buộc.',
  invalid: 'Dữ liệu nhập không hợp lệ!',
  unknownField: 'Tham số không xác định: {{name}}.',
  tooLong: 'Nội dung quá dài.',
  amount: 'Vui lòng nhập số tiền: chỉ gồm chữ số, phần thập phân không vượt quá quy định của loại tiền.',
  currency: 'Vui lòng chọn loại tiền.',
  currencyNotHome: 'Loại tiền phải là {{currency}}.',
  limit: 'limit phải là 20, 50, 100 hoặc 200.',
  cursor: 'Con trỏ trang không hợp lệ. Hãy bắt đầu từ trang đầu.',
  choice: 'Vui lòng chọn một trong các giá trị có sẵn.',
  instant: 'Vui lòng chọn thời gian bắt đầu hoặc kết thúc.',
  url: 'Vui lòng nhập địa chỉ http hoặc https đầy đủ.',
  outTradeNo: 'Vui lòng nhập mã đơn của đơn vị: 1 đến 64 chữ, số hoặc ký hiệu, không có khoảng trắng.',
  expiresIn: 'expiresIn phải từ 10 đến 86400 giây.',
  emailRequired: 'Vui lòng nhập địa chỉ email.',
  email: 'Vui lòng nhập địa chỉ email hợp lệ.',
  passwordRequired: 'Vui lòng nhập mật khẩu đăng nhập.',
  unsafeText: 'Nội dung có ký tự không thể lưu.',
};
