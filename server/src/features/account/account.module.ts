import { accountEndpoints, openAccountEndpoints } from '@hengfu/contract/account';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { accountHandlers, openAccountHandlers } from './account.routes.ts';

/** A merchant's balances. */
export function accountModule({ database, entries }: ModuleDeps) {
  return {
    services: {},
    endpoints: () => [feature(accountEndpoints, accountHandlers(database, entries))],
    openEndpoints: () => [feature(openAccountEndpoints, openAccountHandlers(database))],
  } satisfies FeatureModule;
}
