import type { receipts as en } from '../en/receipts.ts';
import type { Translation } from '../phrases.ts';

export const receipts: Translation<typeof en> = {
  title: 'Biên lai thanh toán',
  state: {
    paid: 'Đã thanh toán',
    partlyRefunded: 'Đã thanh toán, hoàn một phần',
    refunded: 'Đã thanh toán, đã hoàn tiền',
  },
  amount: 'Số tiền đã trả',
  refunded: 'Đã hoàn',
  kept: 'Sau khi hoàn',
  registeredName: 'Cửa hàng',
  subject: 'Nội dung',
  channel: 'Phương thức thanh toán',
  trade_no: 'Mã đơn hàng',
  out_trade_no: 'Mã đơn hàng của cửa hàng',
  bankReference: 'Mã tham chiếu ngân hàng',
  createdAt: 'Đặt lúc',
  paidAt: 'Thanh toán lúc',
  refundedAt: 'Hoàn tiền lúc',
  asOf: 'Do {{title}} lập, tính đến {{time}}.',
  note: 'Biên lai này xác nhận việc thanh toán, không phải hóa đơn thuế. Trạng thái mới nhất xem tại:',
  download: 'Tải PDF',
  busy: 'Đang có quá nhiều biên lai được tạo. Vui lòng thử lại sau giây lát.',
  failed: 'Không tạo được PDF. Vui lòng kiểm tra mạng và thử lại.',
  notFoundText: 'Vui lòng kiểm tra xem bạn đã sao chép đủ liên kết chưa, hoặc hỏi cửa hàng để nhận biên lai.',
  forPayer: 'Biên lai',
  forPayerText:
    'Trang mà người thanh toán có, trong hai năm kể từ khi thanh toán. Ai có liên kết đều xem được.',
  ended: 'Biên lai của người thanh toán chỉ xem được trong hai năm sau khi thanh toán và nay đã hết hạn.',
  show: 'Hiện biên lai',
  open: 'Mở biên lai',
  link: 'Liên kết biên lai',
};
