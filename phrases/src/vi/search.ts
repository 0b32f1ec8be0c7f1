import type { search as en } from '../en/search.ts';
import type { Translation } from '../phrases.ts';

export const search: Translation<typeof en> = {
  title: 'Tìm kiếm',
  placeholder: 'Trang, thao tác, mã đơn hàng, người thụ hưởng…',
  results: 'Kết quả tìm kiếm',
  group: { recent: 'Mở gần đây', pages: 'Trang', actions: 'Thao tác' },
  kind: {
    collection: 'Giao dịch thu hộ',
    payout: 'Lệnh chi hộ',
    topup: 'Nạp tiền',
    withdrawal: 'Rút tiền',
    settlement: 'Quyết toán',
    export: 'Xuất dữ liệu',
    batch: 'Lô chi hộ',
  },
  action: {
    payout: 'Tạo lệnh chi hộ',
    batch: 'Chi hộ theo tệp',
    topup: 'Nạp tiền',
    withdraw: 'Rút tiền',
    dark: 'Chuyển sang giao diện tối',
    light: 'Chuyển sang giao diện sáng',
    language: 'Ngôn ngữ: {{name}}',
    help: 'Phím tắt',
    signOut: 'Đăng xuất',
  },
  searching: 'Đang tìm đơn…',
  nothing: 'Không tìm thấy đơn nào.',
  what: 'Có thể tìm theo mã đơn hàng, mã đơn của merchant, người thụ hưởng, tài khoản thụ hưởng, mã tham chiếu ngân hàng, mã giao dịch blockchain, địa chỉ ví, mã quyết toán, mã xuất dữ liệu hoặc mã lô.',
  count_one: '{{count}} kết quả',
  count_other: '{{count}} kết quả',
  help: {
    title: 'Phím tắt',
    on: 'Bật phím tắt một phím',
    onHint: 'Hãy tắt nếu chúng gây vướng, chẳng hạn khi điều khiển bằng giọng nói. {{keys}} luôn dùng được.',
    everywhere: 'Ở mọi trang',
    pages: 'Đến trang: bấm G rồi bấm một chữ cái',
    palette: 'Tìm kiếm',
    filter: 'Đến bộ lọc của danh sách, hoặc mở tìm kiếm',
  },
};
