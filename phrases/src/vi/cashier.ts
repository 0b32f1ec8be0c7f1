import type { cashier as en } from '../en/cashier.ts';
import type { Translation } from '../phrases.ts';

export const cashier: Translation<typeof en> = {
  title: 'Thanh toán cho {{merchant}}',
  amountToPay: 'Số tiền cần thanh toán',
  timeLeft: 'Thời gian còn lại',
  order: 'Mã đơn hàng',
  subject: 'Nội dung',
  paidTo: 'Bên nhận tiền: {{merchant}}',
  refunded: 'Đã hoàn',
  choose: 'Chọn phương thức thanh toán',
  noChannels:
    'Hiện không có phương thức thanh toán nào. Vui lòng thử lại sau vài phút hoặc quay lại cửa hàng.',
  pay: 'Thanh toán {{amount}}',
  starting: 'Đang kết nối ngân hàng…',
  scan: 'Quét bằng ứng dụng ngân hàng',
  openBank: 'Mở trang ngân hàng',
  waiting: 'Đang chờ ngân hàng. Sau khi thanh toán, hãy quay lại đây: trang sẽ tự cập nhật.',
  paidTitle: 'Thanh toán thành công',
  paidText: 'Cảm ơn bạn. {{merchant}} đã nhận được khoản thanh toán. Bạn có thể đóng trang này.',
  failedTitle: 'Thanh toán thất bại',
  failedText: 'Bạn chưa bị trừ tiền. Để thử lại, vui lòng quay lại cửa hàng và đặt đơn mới.',
  cancelledTitle: 'Đơn hàng đã hủy',
  cancelledText:
    'Cửa hàng đã hủy đơn hàng này. Bạn chưa bị trừ tiền. Nếu vẫn muốn mua, vui lòng đặt đơn mới.',
  closedTitle: 'Đã hết thời gian thanh toán',
  closedText: 'Đơn hàng này không còn thanh toán được. Vui lòng quay lại cửa hàng và đặt đơn mới.',
  refundedTitle: 'Đã hoàn tiền',
  refundedText:
    '{{merchant}} đã hoàn lại toàn bộ số tiền vào tài khoản bạn đã dùng để thanh toán; một số ngân hàng cần vài ngày để ghi có.',
  returningTitle: 'Khoản thanh toán đang được hoàn lại',
  returningText:
    'Tiền đến khi liên kết thanh toán đã hết lượt, nên {{merchant}} đang hoàn lại toàn bộ số tiền vào tài khoản bạn đã dùng để thanh toán. Một số ngân hàng cần vài ngày để ghi có.',
  notReturnedTitle: 'Khoản thanh toán đến quá muộn',
  notReturnedText:
    'Liên kết thanh toán đã hết lượt và khoản thanh toán của bạn chưa thể tự động hoàn lại. Vui lòng liên hệ {{merchant}}.',
  back: 'Quay lại {{merchant}}',
  notFoundTitle: 'Liên kết không hợp lệ',
  notFoundText:
    'Vui lòng kiểm tra xem bạn đã sao chép đủ liên kết chưa, hoặc liên hệ cửa hàng để nhận liên kết mới.',
  offline: 'Mất kết nối. Vui lòng kiểm tra mạng; trang sẽ tự thử lại.',
  language: 'Ngôn ngữ',
  copy: 'Sao chép',
  copied: 'Đã sao chép',
  secure: 'Trang thanh toán của {{title}}',
  loading: 'Đang tải đơn hàng…',
  amount: 'Số tiền',
  lastMinute: 'Còn chưa đầy một phút',
  payBy: 'Thanh toán bằng',
  payUnsure: 'Mất kết nối. Vui lòng thử lại, bạn sẽ không bị trừ tiền hai lần.',
  closedLateText:
    'Nếu bạn đã thanh toán, xin đừng thanh toán lần nữa: giao dịch vẫn sẽ được ghi nhận và trang sẽ tự cập nhật. Nếu chưa, vui lòng quay lại cửa hàng và đặt đơn mới.',
  unavailable: 'Dịch vụ tạm thời gián đoạn. Trang sẽ tự thử lại.',
  receipt: 'Xem biên lai',
  receiptEnded:
    'Biên lai chỉ xem được trong hai năm sau khi thanh toán. Nếu cần chứng từ, vui lòng liên hệ cửa hàng.',
  faults: {
    channel_unavailable:
      'Phương thức này không phản hồi. Bạn chưa bị trừ tiền. Vui lòng thử lại sau giây lát.',
    channel_closed: 'Phương thức này hiện không dùng được. Vui lòng chọn phương thức khác hoặc thử lại sau.',
    order_not_payable: 'Đơn hàng này không còn thanh toán được. Vui lòng quay lại cửa hàng và đặt đơn mới.',
    too_many_requests: 'Bạn đã thử quá nhiều lần. Vui lòng đợi giây lát rồi thử lại.',
    other: 'Chưa thực hiện được. Vui lòng thử lại, bạn sẽ không bị trừ tiền hai lần.',
  },
  refusal: {
    insufficientFunds: 'Tài khoản của bạn không đủ số dư.',
    declinedByPayer: 'Bạn đã từ chối khoản thanh toán này.',
    other: 'Ngân hàng không thực hiện được khoản thanh toán này.',
  },
};
