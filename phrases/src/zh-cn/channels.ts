import type { channels as en } from '../en/channels.ts';
import type { Translation } from '../phrases.ts';

export const channels: Translation<typeof en> = {
  CN_BANK: '中国大陆银行转账',
  VN_NAPAS: '越南银行转账（NAPAS）',
  IN_IMPS: '印度银行转账（IMPS）',
  BR_PIX: '巴西 PIX',
  ownWords: '银行返回原文：{{words}}',
};
