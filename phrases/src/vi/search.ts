import type { search as en } from '../en/search.ts';
import type { Translation } from '../phrases.ts';

export const search: Translation<typeof en> = {
  title: 'Tìm kiếm',
  placeholder: 'Trang, mã đơn, người thụ hưởng…',
  results: 'Kết quả tìm kiếm',
  group: { recent: 'Mở gần đây', pages: 'Trang', actions: 'Thao tác' },
  kind: {
    collection: 'Giao dịch thu hộ',
    payout: 'Lệnh chi hộ',
    topup: 'Lệnh nạp tiền',
    withdrawal: 'Lệnh rút tiền',
    settlement: 'Kỳ quyết toán',
    export: 'Xuất dữ liệu',
    batch: 'Lô chi hộ',
  },
  action: {
    collection: 'Tạo khoản thu',
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
  what: 'Tìm theo mã đơn hàng, mã đơn hàng của merchant, người hoặc tài khoản thụ hưởng, mã tham chiếu ngân hàng, mã giao dịch blockchain, địa chỉ ví, mã quyết toán, mã xuất dữ liệu hoặc mã lô.',
  count_one: '{{count}} kết quả',
  count_other: '{{count}} kết quả',
  help: {
    title: 'Phím tắt',
    on: 'Bật phím tắt một ký tự',
    onHint: 'Hãy tắt nếu gây xung đột, chẳng hạn với điều khiển bằng giọng nói. {{keys}} luôn dùng được.',
    everywhere: 'Ở mọi trang',
    pages: 'Đến trang: bấm G rồi bấm một chữ cái',
    palette: 'Tìm kiếm',
    filter: 'Đến bộ lọc của danh sách, hoặc mở tìm kiếm',
  },
};
