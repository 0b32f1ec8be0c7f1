import type { officeAnnouncements as en } from '../en/office-announcements.ts';
import type { Translation } from '../phrases.ts';

export const officeAnnouncements: Translation<typeof en> = {
  title: 'Thông báo chung',
  intro: 'Merchant đọc thông báo dưới thanh trên cùng của Trang quản trị cho đến khi họ ẩn đi.',
  add: 'Đăng thông báo',
  change: 'Sửa',
  end: 'Kết thúc ngay',
  ended: 'Thông báo đã kết thúc.',
  none: 'Chưa có thông báo nào.',
  kind: 'Loại',
  kinds: {
    information: 'Thông tin',
    maintenance: 'Bảo trì',
    warning: 'Cảnh báo',
  },
  states: {
    planned: 'Đã lên lịch',
    shown: 'Đang hiển thị',
    over: 'Đã kết thúc',
  },
  state: 'Trạng thái',
  text: 'Nội dung tiếng Anh',
  textZhCn: 'Nội dung tiếng Trung',
  textVi: 'Nội dung tiếng Việt',
  startsAt: 'Từ',
  startsHint: 'Để trống để bắt đầu ngay. Theo múi giờ của trình duyệt.',
  endsAt: 'Đến',
  endsHint: 'Để trống để hiển thị cho đến khi có người kết thúc.',
  merchants: 'Merchant',
  merchantsHint: 'Các mã, cách nhau bằng dấu cách. Để trống để gửi cho tất cả merchant.',
  all: 'Tất cả merchant',
  endsFault: 'Thời điểm kết thúc phải ở tương lai và sau thời điểm bắt đầu',
  merchantFault: 'Không có merchant “{{code}}”',
  changeText: 'Những người đã ẩn thông báo sẽ thấy lại.',
};
