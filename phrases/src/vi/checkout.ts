import type { checkout as en } from '../en/checkout.ts';
import type { Translation } from '../phrases.ts';

export const checkout: Translation<typeof en> = {
  title: 'Trang thanh toán',
  intro: 'Cách người thanh toán nhìn thấy bạn trên trang thanh toán, liên kết thanh toán và biên lai.',
  form: 'Giao diện',
  name: 'Tên hiển thị',
  nameHint: 'Để trống để hiển thị {{name}}.',
  color: 'Màu thương hiệu',
  colorHint: 'Dùng cho nút và liên kết. Để trống để dùng màu mặc định.',
  pick: 'Chọn màu',
  reset: 'Màu mặc định',
  nearest: 'Dùng {{color}}',
  logo: 'Logo',
  logoHint: 'PNG, JPEG hoặc WebP, tối đa 2 MB. Nên dùng ảnh vuông; ảnh lớn sẽ được thu nhỏ.',
  removeLogo: 'Xóa logo',
  save: 'Lưu',
  preview: 'Xem trước',
  light: 'Sáng',
  dark: 'Tối',
  theme: 'Thiết bị của người thanh toán',
  sampleSubject: 'Hai hộp trà quà tặng',
  buttonText: 'Chữ trên nút: màu {{color}}, độ tương phản {{ratio}}:1.',
  white: 'trắng',
  black: 'đen',
  previewLabel: 'Trang thanh toán như người thanh toán sẽ thấy',
};
