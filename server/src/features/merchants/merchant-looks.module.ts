import { merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { type MerchantPages, merchantLookHandlers } from './look/looks.routes.ts';
import { MerchantLooks } from './look/looks.service.ts';

/** The back office sees what a merchant sees, and can change nothing there. */
export function merchantLooksModule({ database }: StaffDeps, pages: MerchantPages) {
  const looks = new MerchantLooks(database);
  return {
    services: {},
    endpoints: () => [feature(merchantLookEndpoints, merchantLookHandlers(looks, pages))],
  } satisfies StaffModule;
}
