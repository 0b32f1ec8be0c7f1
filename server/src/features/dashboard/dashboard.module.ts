import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { dashboardHandlers } from './dashboard.routes.ts';

/** The first page: a period's figures beside those of the period before, and what waits for the merchant. */
export function dashboardModule({ database }: ModuleDeps) {
  return {
    services: {},
    endpoints: () => [feature(dashboardEndpoints, dashboardHandlers(database))],
  } satisfies FeatureModule;
}
