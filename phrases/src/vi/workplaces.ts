import type { workplaces as en } from '../en/workplaces.ts';
import type { Translation } from '../phrases.ts';

export const workplaces: Translation<typeof en> = {
  title: 'Chọn merchant',
  other: 'Chọn merchant khác',
  text: 'Bạn làm việc cho nhiều merchant. Bạn có thể chuyển đổi bất cứ lúc nào ở thanh trên cùng.',
  last: 'Dùng gần nhất',
  unavailable: 'Không dùng được: đang bị tạm ngưng',
  switch: 'Merchant: {{name}}',
  switched: 'Bạn đã chuyển sang merchant khác',
  switchedText:
    'Thẻ này được mở cho {{name}}. Thẻ đã ngắt kết nối để không có gì được thực hiện nhầm merchant. Hãy tải lại để tiếp tục với merchant mà bạn đã chuyển sang.',
  reload: 'Tải lại',
  none: 'Hiện không có merchant nào của bạn dùng được. Vui lòng liên hệ bộ phận hỗ trợ.',
};
