import type { shareLink as en } from '../en/share-link.ts';
import type { Translation } from '../phrases.ts';

export const shareLink: Translation<typeof en> = {
  link: 'Liên kết',
  qr: 'Mã QR mở {{name}}',
  png: 'Tải mã QR dạng PNG',
  svg: 'Tải mã QR dạng SVG',
  share: 'Chia sẻ',
};
