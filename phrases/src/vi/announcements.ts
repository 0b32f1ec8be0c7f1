import type { announcements as en } from '../en/announcements.ts';
import type { Translation } from '../phrases.ts';

export const announcements: Translation<typeof en> = {
  region: 'Thông báo chung',
  dismiss: 'Ẩn',
  kind: {
    information: 'Thông tin',
    maintenance: 'Bảo trì',
    warning: 'Cảnh báo',
  },
};
