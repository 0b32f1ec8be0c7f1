import type { shareLink as en } from '../en/share-link.ts';
import type { Translation } from '../phrases.ts';

export const shareLink: Translation<typeof en> = {
  link: '链接',
  qr: '打开{{name}}的二维码',
  png: '下载 PNG 二维码',
  svg: '下载 SVG 二维码',
  share: '分享',
};
