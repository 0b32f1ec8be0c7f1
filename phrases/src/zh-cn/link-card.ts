import type { linkCard as en } from '../en/link-card.ts';
import type { Translation } from '../phrases.ts';

export const linkCard: Translation<typeof en> = {
  scan: '扫码付款',
};
