import type { announcements as en } from '../en/announcements.ts';
import type { Translation } from '../phrases.ts';

export const announcements: Translation<typeof en> = {
  region: '公告',
  dismiss: '关闭',
  kind: {
    information: '通知',
    maintenance: '维护',
    warning: '警告',
  },
};
