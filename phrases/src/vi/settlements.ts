import type { settlements as en } from '../en/settlements.ts';
import type { Translation } from '../phrases.ts';

export const settlements: Translation<typeof en> = {
  title: 'Quyết toán',
  settlement_no: 'Mã quyết toán',
  status: {
    pendingSettlement: 'Chờ quyết toán',
    settled: 'Đã quyết toán',
  },
  statusLabel: 'Trạng thái',
  orderCount: 'Số đơn',
  refundCount: 'Số lượt hoàn tiền',
  amount: 'Số tiền thu',
  fee: 'Phí',
  refunded: 'Số tiền hoàn',
  net: 'Thực nhận',
  cutOffAt: 'Thời điểm chốt kỳ',
  createdAt: 'Thời gian tạo',
  settledAt: 'Thời gian quyết toán',
  lines: 'Các đơn trong kỳ quyết toán',
  lineKind: {
    payment: 'Thanh toán',
    refund: 'Hoàn tiền',
  },
  kind: 'Loại',
  linesSum: 'Tổng các đơn:',
  netMatches: 'Số thực nhận khớp với tổng các đơn.',
  empty: 'Chưa có kỳ quyết toán. Các đơn đã thanh toán được quyết toán vào thời điểm chốt kỳ tiếp theo.',
  details: 'Thông tin quyết toán',
  batch: 'Quyết toán {{settlement_no}}',
  sum: 'Tổng thực nhận:',
  netHint: 'Số tiền thu trừ phí, trừ tiền hoàn của các đơn đã quyết toán ở kỳ trước.',
  netDiffers:
    'Số thực nhận ({{net}}) không khớp với tổng các đơn ({{sum}}). Không sử dụng các số liệu này và liên hệ ngay bộ phận hỗ trợ.',
  netUnknown:
    'Quá nhiều đơn nên không hiển thị tổng; các đơn này được kiểm tra khi đối soát sổ cái hằng đêm.',
  linesEmpty: 'Kỳ quyết toán này không có đơn nào.',
};
