import type { settlements as en } from '../en/settlements.ts';
import type { Translation } from '../phrases.ts';

export const settlements: Translation<typeof en> = {
  title: 'Kết toán',
  settlement_no: 'Mã kết toán',
  status: {
    pendingSettlement: 'Chờ kết toán',
    settled: 'Đã kết toán',
  },
  statusLabel: 'Trạng thái',
  orderCount: 'Số đơn',
  refundCount: 'Số hoàn tiền',
  amount: 'Số tiền thu',
  fee: 'Phí',
  refunded: 'Hoàn tiền',
  net: 'Thực nhận',
  cutOffAt: 'Thanh toán trước',
  createdAt: 'Thời gian tạo',
  settledAt: 'Thời gian kết toán',
  lines: 'Các đơn trong kỳ kết toán',
  lineKind: {
    payment: 'Thanh toán',
    refund: 'Hoàn tiền',
  },
  kind: 'Loại',
  linesSum: 'Tổng các dòng',
  netMatches: 'Số thực nhận bằng tổng các đơn.',
  empty: 'Chưa có kỳ kết toán. Các đơn đã thanh toán được kết toán vào giờ chốt ngày hôm sau.',
  details: 'Thông tin kết toán',
  batch: 'Kết toán {{settlement_no}}',
  sum: 'Tổng thực nhận:',
  netHint: 'Số tiền thu trừ phí, trừ tiền hoàn của các đơn đã kết toán ở kỳ trước.',
  netDiffers:
    'Số thực nhận ({{net}}) không khớp với tổng các đơn ({{sum}}). Không sử dụng các số liệu này và liên hệ ngay bộ phận hỗ trợ.',
  netUnknown: 'Có quá nhiều đơn để cộng tại đây; việc đối soát sổ cái hằng đêm bao gồm các đơn này.',
  linesEmpty: 'Kỳ kết toán này không có đơn nào.',
};
