import type { payLinks as en } from '../en/pay-links.ts';
import type { Translation } from '../phrases.ts';

export const payLinks: Translation<typeof en> = {
  quantity: 'Số lượng',
  amount: 'Số tiền',
  range: 'Từ {{least}} đến {{most}}',
  name: 'Họ tên',
  email: 'Địa chỉ email',
  reference: 'Mã tham chiếu đơn',
  next: 'Tiếp tục thanh toán',
  sending: 'Vui lòng chờ…',
  changed: 'Cửa hàng vừa thay đổi trang này. Vui lòng kiểm tra lại.',
  closedTitle: 'Liên kết này đã đóng',
  closedText: '{{merchant}} hiện không nhận thanh toán qua liên kết này.',
  usedUpTitle: 'Liên kết này đã hết lượt',
  usedUpText: 'Vui lòng hỏi {{merchant}} để nhận liên kết khác.',
  busyTitle: 'Người khác đang thanh toán',
  busyText: 'Nếu họ không hoàn tất thanh toán, bạn có thể thử lại sau vài phút.',
  retry: 'Thử lại',
  notFoundTitle: 'Không có liên kết thanh toán này',
  notFoundText: 'Vui lòng kiểm tra địa chỉ hoặc hỏi người đã gửi.',
  paidTitle: 'Cảm ơn bạn đã thanh toán',
  unpaidTitle: 'Chưa thanh toán',
  unpaidText: 'Nếu bạn vừa thanh toán, vui lòng chờ một chút.',
  toCheckout: 'Quay lại thanh toán',
  endedTitle: 'Khoản thanh toán này chưa thành công',
  endedText:
    'Nếu bạn đã thanh toán, xin đừng thanh toán lần nữa: giao dịch vẫn có thể được ghi nhận. Nếu chưa, bạn có thể bắt đầu lại.',
  toForm: 'Thanh toán lại',
  offline: 'Mất kết nối mạng. Vui lòng kiểm tra lại.',
  total: 'Cần trả',
};
