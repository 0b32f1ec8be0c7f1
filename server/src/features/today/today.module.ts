import { todayEndpoints } from '@hengfu/contract/staff/today';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { todayHandlers } from './today.routes.ts';
import { TodayService } from './today.service.ts';

/** The first page of the back office. */
export function todayModule({ database }: StaffDeps) {
  const today = new TodayService(database);
  return {
    services: {},
    endpoints: () => [feature(todayEndpoints, todayHandlers(today))],
  } satisfies StaffModule;
}
