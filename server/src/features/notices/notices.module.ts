import { noticeEndpoints } from '@hengfu/contract/notices';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { noticeHandlers } from './notices.routes.ts';
import { NoticeService, noticeRecurring } from './notices.service.ts';

/** The notifications behind the bell. */
export function noticesModule({ database }: ModuleDeps) {
  const notices = new NoticeService(database);
  return {
    services: { notices },
    endpoints: () => [feature(noticeEndpoints, noticeHandlers(notices))],
    tasks: { own: notices.tasks },
    recurring: noticeRecurring,
  } satisfies FeatureModule;
}
