import type { channels as en } from '../en/channels.ts';
import type { Translation } from '../phrases.ts';

export const channels: Translation<typeof en> = {
  CN_BANK: 'Chuyển khoản ngân hàng Trung Quốc',
  VN_NAPAS: 'Chuyển khoản ngân hàng Việt Nam (NAPAS)',
  IN_IMPS: 'Chuyển khoản ngân hàng Ấn Độ (IMPS)',
  BR_PIX: 'PIX Brazil',
};
