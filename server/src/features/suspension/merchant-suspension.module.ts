import { merchantSuspensionEndpoints } from '@hengfu/contract/staff/merchant-suspension';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { MerchantReactivation, reactivationEffects } from './merchant-reactivation.ts';
import { merchantSuspensionHandlers } from './merchant-suspension.routes.ts';
import { type ScheduleHeld, SuspensionService } from './suspension.service.ts';

/** Suspending merchants in the back office, by the same service as the operators' commands, and ending it with a second person. */
export function merchantSuspensionModule(
  { database, requests }: StaffDeps,
  onReactivated: readonly ScheduleHeld[],
) {
  const merchantReactivation = new MerchantReactivation(database, requests);
  return {
    services: { merchantReactivation },
    endpoints: () => [
      feature(
        merchantSuspensionEndpoints,
        merchantSuspensionHandlers(
          (actor) => new SuspensionService({ database, actor, onReactivated }),
          merchantReactivation,
        ),
      ),
    ],
    requests: { merchantReactivation: reactivationEffects(onReactivated) },
  } satisfies StaffModule;
}
