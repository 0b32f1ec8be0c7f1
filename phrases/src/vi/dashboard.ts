import type { dashboard as en } from '../en/dashboard.ts';
import type { Translation } from '../phrases.ts';

export const dashboard: Translation<typeof en> = {
  title: 'Tổng quan',
  today: 'Hôm nay',
  collected: 'Đã thu',
  paidOut: 'Đã chi',
  amount: 'Số tiền',
  count: 'Số đơn',
  successRate: 'Tỷ lệ thành công',
  successRateHint: 'Tỷ lệ đơn thành công trong số các đơn tạo trong ngày đã có kết quả.',
  noneDecided: 'Chưa có đơn nào có kết quả',
  trend: 'Xu hướng theo giờ',
  trendCollected: 'Thu hôm nay',
  trendCollectedYesterday: 'Thu hôm qua',
  trendPaidOut: 'Chi hôm nay',
  asOf: 'Tính đến {{time}}',
  versusYesterday: 'Hôm qua: {{value}}',
  hour: 'Giờ',
  showChart: 'Hiện biểu đồ',
  showTable: 'Hiện bảng',
  trendText:
    'Biểu đồ hôm nay theo giờ: đến nay đã thu {{amount}} và đã chi {{paidOut}}. Xem số liệu chi tiết trong bảng.',
};
