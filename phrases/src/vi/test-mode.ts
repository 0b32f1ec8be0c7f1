import type { testMode as en } from '../en/test-mode.ts';
import type { Translation } from '../phrases.ts';

export const testMode: Translation<typeof en> = {
  band: 'Chế độ thử nghiệm: không dùng tiền thật',
  titleMark: 'THỬ',
  title: 'Chế độ thử nghiệm',
  enterText:
    'Chế độ thử nghiệm có đơn, số dư, danh sách và khóa truy cập riêng. Mọi ngân hàng trong đó đều do sandbox mô phỏng, nên bạn có thể thử mọi chức năng mà không chuyển tiền thật.',
  sameText: 'Thành viên, vai trò, quy tắc phê duyệt và biểu phí giống chế độ thật. Hãy thay đổi chúng ở đó.',
  enter: 'Chuyển sang chế độ thử nghiệm',
  leave: 'Về chế độ thật',
  funds: 'Thêm tiền thử nghiệm',
  fundsText: 'Cộng vào số dư khả dụng để bạn thử chi hộ. Tiền thử nghiệm không có giá trị.',
  amount: 'Số tiền ({{currency}})',
  added: 'Đã thêm tiền thử nghiệm.',
  wipe: 'Xóa sạch dữ liệu thử nghiệm',
  wipeText:
    'Đóng môi trường thử nghiệm này và mở một môi trường trống: khóa khác, không có đơn, số dư, liên kết và tệp xuất. Khóa cũ ngừng hoạt động ngay. Không thể hoàn tác.',
};
