import type { channels as en } from '../en/channels.ts';
import type { Translation } from '../phrases.ts';

export const channels: Translation<typeof en> = {
  CN_BANK: 'Chuyển khoản (Trung Quốc)',
  VN_NAPAS: 'Chuyển khoản NAPAS (Việt Nam)',
  IN_IMPS: 'Chuyển khoản IMPS (Ấn Độ)',
  BR_PIX: 'PIX (Brazil)',
  ownWords: 'Thông báo gốc của ngân hàng: {{words}}',
};
