import type { officeLooks as en } from '../en/office-looks.ts';
import type { Translation } from '../phrases.ts';

export const officeLooks: Translation<typeof en> = {
  title: '{{name}}: như merchant nhìn thấy',
  see: 'Xem như merchant này',
  begin: 'Bắt đầu xem',
  text: 'Trong 30 phút, bạn thấy những gì một người có toàn quyền xem của merchant thấy. Không thể thay đổi hay xuất dữ liệu. Merchant được thông báo; nhật ký thao tác của họ ghi thời điểm và lý do, nhưng không ghi tên bạn.',
  reason: 'Lý do',
  reasonHint: 'Merchant sẽ đọc lý do này. Hãy dùng ngôn ngữ của merchant.',
  looking:
    'Bạn đang xem {{name}} như thành viên của merchant này. Bạn không thể thay đổi gì. Phiên xem kết thúc lúc',
  pages: 'Các trang của merchant',
  collections: 'Thu hộ',
  payouts: 'Chi hộ',
};
